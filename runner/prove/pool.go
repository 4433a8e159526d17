package prove

import "sync"

// inPool runs a function for each index in an order, at most so many at a time,
// and returns their errors by index. after is called when one has run, one call at a
// time, with how many have.
func inPool(order []int, atOnce int, run func(i int) error, after func(i, done int)) []error {
	errs := make([]error, len(order))
	slots := make(chan struct{}, max(1, atOnce))
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for _, i := range order {
		wg.Add(1)
		slots <- struct{}{}
		go func() {
			defer wg.Done()
			defer func() { <-slots }()
			errs[i] = run(i)
			mu.Lock()
			defer mu.Unlock()
			done++
			after(i, done)
		}()
	}
	wg.Wait()
	return errs
}
