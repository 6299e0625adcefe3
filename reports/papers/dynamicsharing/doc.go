// Package dynamicsharing reproduces the evaluation of "Dynamic Proportional
// Sharing: A Game-Theoretic Approach" (Freeman, Zahedi, Conitzer and Lee): the
// welfare of its mechanisms on the Google trace and on random instances (Figure
// 2), sharing indices under flexible lending (Figure 3), counter-examples, searches
// for lies that pay and for bad instances, and the same on logs of parallel machines,
// with Karma (OSDI 2023) beside them. What the paper does not publish is varied: what a
// demand is, the length of a round, the horizon, the rule of endowments, and the value
// of unwanted units.
package dynamicsharing
