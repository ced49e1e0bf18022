// Package analyze is the vocabulary of judging: codes, severities, rules, their outcomes, and the report that a run
// ends in. It joins facts and knowledge by running rules over both; it holds no rule and no verdict of its own (see
// package rules) and prints nothing (see package render).
package analyze
