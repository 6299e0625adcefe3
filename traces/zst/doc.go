// Package zst packs and unpacks zstd, in one place so that a small build can go without it.
package zst
