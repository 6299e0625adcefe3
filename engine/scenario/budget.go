package scenario

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/traces/table"
)

// BudgetTable is the file that a budget names, "" if it is one for all users.
func BudgetTable(text string) string {
	money, _, _ := strings.Cut(text, "/")
	if _, err := strconv.ParseFloat(money, 64); err == nil || text == "" {
		return ""
	}
	return text
}

// checkBudget wants one for all users to make sense.
func checkBudget(text string) error {
	if BudgetTable(text) != "" {
		return nil
	}
	_, err := budgetOf(strings.Cut(text, "/"))
	return err
}

// budgetOf reads a budget and its period.
func budgetOf(money, period string, renewed bool) (b engine.Budget, err error) {
	b.Money, err = strconv.ParseFloat(money, 64)
	if err != nil || !(b.Money > 0 && b.Money <= policies.MostMoney) {
		return b, fmt.Errorf("%s: want an amount of money above 0, up to %g", money, policies.MostMoney)
	}
	if !renewed {
		return b, nil
	}
	if b.Period, err = events.ParseDuration(period); err != nil || b.Period == 0 {
		return b, fmt.Errorf("%s/%s: want a period above 0, as in 5000/1w", money, period)
	}
	return b, nil
}

// budgets are those of a market, nil if it has none.
func (m Market) budgets(policy policies.Policy) (*engine.Budgets, error) {
	if m.Budget == "" {
		return nil, nil
	}
	if _, sells := policies.As[policies.Seller](policy); sells || !policies.TraitsOf(policy).RanksByBid {
		return nil, &ConflictError{"budget", "policy", fmt.Sprintf("under %s jobs do not compete by their bids, so that a user "+
			"without money would lose nothing; want hb, hb(fit=skip), nphb or wspt", m.Policy)}
	}
	if m.Payment == free {
		return nil, &ConflictError{"budget", "payment", "nobody pays, so that no budget is used up; name a payment, as kth"}
	}
	if file := BudgetTable(m.Budget); file != "" {
		return readBudgets(file)
	}
	all, err := budgetOf(strings.Cut(m.Budget, "/"))
	return &engine.Budgets{All: &all}, err
}

// readBudgets reads a table with the columns user, budget and perhaps period, CSV or Parquet by
// its name.
func readBudgets(path string) (*engine.Budgets, error) {
	rows, err := table.OpenSome(path, nil, []string{"user", "budget"}, []string{"period"})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	b := &engine.Budgets{Listed: map[string]engine.Budget{}, File: path}
	for {
		err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		user, period := rows.Text(0), rows.Text(2)
		own, err := budgetOf(rows.Text(1), period, period != "")
		if err != nil {
			return nil, fmt.Errorf("%s:%d: budget %w", path, rows.Line(), err)
		}
		if _, twice := b.Listed[user]; twice || user == "" {
			return nil, fmt.Errorf("%s:%d: the user is %q; want each user once, by what the trace calls it", path, rows.Line(), user)
		}
		own.Line = rows.Line()
		b.Listed[user] = own
	}
	if len(b.Listed) == 0 {
		return nil, fmt.Errorf("%s has no budget of any user; want rows of user, budget and perhaps period", path)
	}
	return b, nil
}
