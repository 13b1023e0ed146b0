package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

func byDefault(one call) error {
	request, err := http.NewRequest(one.method, one.url, strings.NewReader(one.body))
	if err != nil {
		return err
	}
	if one.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err = io.ReadAll(response.Body); err == nil && response.StatusCode >= 400 {
		err = fmt.Errorf("status %d", response.StatusCode)
	}
	return err
}

// The recipe
var client = &http.Client{Timeout: 10 * time.Second}

func recipe(one call) error {
	for attempt, pause := 1, 300*time.Millisecond; attempt <= 4; attempt, pause = attempt+1, 2*pause {
		status, retryAfter, err := send(one)
		if err == nil && status != 429 && status < 500 {
			return nil
		}
		time.Sleep(max(pause, retryAfter))
		// A new contact has no key of its own: look whether it was created, before it is sent again.
		if one.look != "" && isThere(one.look) {
			return nil
		}
	}
	return errors.New("not delivered") // keep the request in a queue on disk, and send it later
}

func send(one call) (status int, retryAfter time.Duration, err error) {
	request, _ := http.NewRequest(one.method, one.url, strings.NewReader(one.body))
	if one.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if one.key != "" {
		request.Header.Set("Idempotency-Key", one.key)
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, 0, err
	}
	defer response.Body.Close()
	_, err = io.ReadAll(response.Body)
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	return response.StatusCode, time.Duration(seconds) * time.Second, err
}

func isThere(look string) bool {
	for {
		status, pause, err := send(call{method: "GET", url: look})
		if err == nil && (status == 200 || status == 404) {
			return status == 200
		}
		time.Sleep(max(time.Second, pause))
	}
}

func max(a, b time.Duration) time.Duration {
	if a > b {
		return a
	}
	return b
}
