// Sends each request of the lines given with net/http, and prints what it got of each: status, length, error.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		milliseconds, _ := strconv.Atoi(fields[2])
		request, _ := http.NewRequest(fields[0], fields[1], strings.NewReader(fields[3]))
		request.Header.Set("content-type", "application/json")
		client := http.Client{
			Transport: &http.Transport{DisableKeepAlives: true},
			Timeout:   time.Duration(milliseconds) * time.Millisecond,
		}
		status, length := "", 0
		answer, err := client.Do(request)
		if err == nil {
			var body []byte
			status = strconv.Itoa(answer.StatusCode)
			body, err = io.ReadAll(answer.Body)
			length = len(body)
		}
		if err == nil {
			fmt.Printf("%s\t%d\t\n", status, length)
		} else {
			fmt.Printf("%s\t%d\t%q\n", status, length, err.Error())
		}
	}
}
