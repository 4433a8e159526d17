package redis

import (
	"time"
)

// Options configure a Store. The zero value of each field means its default.
type Options struct {
	// Prefix begins the name of every key; "streamcert:" by default.
	Prefix string
	// Retention is the time for which a finished stream is stored; a day by default, negative for ever.
	Retention time.Duration
	// MaxStream limits the memory of one stream in bytes; 128 MiB by default. The configuration of Redis limits the sum of all
	// streams. Larger answers of Redis are refused, so all processes over one Redis need the same value.
	MaxStream int64
	// Timeout limits the duration of a call; 3 s by default.
	Timeout time.Duration
	// Warn is called with one line for each setting of Redis that loses streams; it may be nil.
	Warn func(line string)
}
