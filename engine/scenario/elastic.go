package scenario

import (
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/policies/rounds"
)

// speeds is how fast jobs are on more or fewer processors than they ask for, nil if none may be.
func (s *Scenario) speeds() (policies.Speeds, error) {
	if s.Elastic == "" {
		return nil, nil
	}
	made, err := catalog.Elastic.Make(s.Elastic)
	if err != nil {
		return nil, &OptionError{"elastic", err}
	}
	if e, ok := made.(*rounds.Elastic); ok {
		e.Seed = s.Seed
	}
	return made, nil
}
