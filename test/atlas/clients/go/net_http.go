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

func newRequest(one call, key string) *http.Request {
	request, err := http.NewRequest(one.method, one.url, strings.NewReader(one.body))
	if err != nil {
		panic(err)
	}
	if one.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	return request
}

func byDefault(one call) error {
	response, err := http.DefaultClient.Do(newRequest(one, ""))
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
	for pause := 300 * time.Millisecond; pause < 3*time.Second; pause *= 2 {
		status, retryAfter := send(one)
		if status != 0 && status != 429 && status < 500 {
			return nil
		}
		time.Sleep(pause + retryAfter)
		// A new contact has no key of its own: look whether it was created, before it is sent again.
		if one.look != "" {
			if found, _ := send(call{method: "GET", url: one.look}); found != 404 {
				return nil // it was created, or nobody says: then a person looks
			}
		}
	}
	return errors.New("not delivered") // keep the request in a queue on disk, and send it later
}

// The status and Retry-After; 0 without a response, or when it is cut.
func send(one call) (int, time.Duration) {
	response, err := client.Do(newRequest(one, one.key))
	if err == nil {
		_, err = io.ReadAll(response.Body)
	}
	if err != nil {
		return 0, 0
	}
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	return response.StatusCode, time.Duration(seconds) * time.Second
}
