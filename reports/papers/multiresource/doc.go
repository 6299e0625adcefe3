// Package multiresource reproduces the tables and figures of "Fair and Efficient
// Multi-Resource Allocation for Cloud Computing" (Bei, Li and Luo): formulas
// beside instances that attain them, experiments beside what the paper says of
// them, and a verdict on each claim.
//
// Every random instance is drawn from a stream named for its experiment and keyed
// by its number, so results do not depend on how many workers there are.
package multiresource
