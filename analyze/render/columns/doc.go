// Package columns lays text out for terminals: tables of aligned columns, and running text wrapped at a width. It knows
// no report and no sentence; it is NOT for deciding what stands in a table.
//
// The tables are drawn by tablewriter. That library looks at the environment when a program starts (LANG, LC_ALL,
// RUNEWIDTH_EASTASIAN and others) and then measures characters of ambiguous width as narrow or wide, for the whole
// process. The same report must give the same bytes on every machine, so here ambiguous characters are narrow, always:
// see measure.
package columns
