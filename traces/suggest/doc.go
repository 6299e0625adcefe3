// Package suggest finds the known name that an unknown one was probably meant to be.
package suggest
