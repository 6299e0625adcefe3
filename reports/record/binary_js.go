package record

var binary []Format
