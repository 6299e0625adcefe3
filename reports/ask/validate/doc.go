// Package validate says how near simulated schedules of a log are to the one that it records:
// how far waits are off and in which order they are, how much of the machine is in use in each
// week, and which queue, width or week the differences come from.
package validate
