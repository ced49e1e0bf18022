// Package facts turns the objects of a bundle into what they say together: which pod belongs to which Job, which
// containers are the application and which are helpers, how each was placed, what the nodes and the mesh looked like,
// and when the bundle was taken. Every fact keeps its evidence and may be unknown.
//
// It knows nothing of what versions mean: no rule, no verdict and no version table is in here, and it never imports
// package knowledge. What it must know of the world (which containers are known helpers) is handed in by the caller.
package facts
