package main

import "os"

func notifyHangup(chan<- os.Signal) {}
