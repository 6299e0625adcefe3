//go:build !js

package batsim

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"strings"
	"time"

	"bourse/policies/remote"

	"github.com/go-zeromq/zmq4"
)

// link is a conversation with a scheduler: one message there, one back.
type link struct {
	socket  zmq4.Socket
	server  *remote.Server // nil if the scheduler is not ours to start
	end     context.CancelFunc
	timeout time.Duration
	timer   *time.Timer
	ask     chan []byte
	answer  chan answer
}

type answer struct {
	text []byte
	err  error
}

// own is the placeholder in a command for the endpoint.
const own = "{endpoint}"

// freeEndpoint is a port of this machine at which no program listens.
func freeEndpoint() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = l.Close() }()
	return "tcp://" + l.Addr().String(), nil
}

// dial starts the program, if there is one, and connects to where it listens, as Batsim does.
func dial(words []string, endpoint string, timeout time.Duration) (l *link, err error) {
	if endpoint == Any {
		if endpoint, err = freeEndpoint(); err != nil {
			return nil, err
		}
	}
	ctx, end := context.WithCancel(context.Background())
	l = &link{end: end, timeout: timeout, timer: time.NewTimer(timeout), ask: make(chan []byte),
		answer: make(chan answer, 1)}
	if len(words) > 0 {
		told := make([]string, len(words))
		for i, w := range words {
			told[i] = strings.ReplaceAll(w, own, endpoint)
		}
		if l.server, err = remote.Serve(told); err != nil {
			end()
			return nil, err
		}
	}
	socket := zmq4.NewReq(ctx, zmq4.WithDialerRetry(20*time.Millisecond), zmq4.WithDialerMaxRetries(-1),
		zmq4.WithLogger(log.New(io.Discard, "", 0)))
	l.socket = socket
	dialled := l.answer
	go func() { dialled <- answer{err: socket.Dial(endpoint)} }() // it may outlast the wait
	if _, err = l.wait("nobody answers at " + endpoint); err != nil {
		l.close()
		return nil, err
	}
	go l.converse()
	return l, nil
}

// converse sends what is asked and hands on what comes back.
func (l *link) converse() {
	for text := range l.ask {
		a := answer{err: l.socket.Send(zmq4.NewMsg(text))}
		if a.err == nil {
			var m zmq4.Msg
			m, a.err = l.socket.Recv()
			a.text = m.Bytes()
		}
		l.answer <- a
	}
}

// exchange sends a message and returns the answer.
func (l *link) exchange(text []byte) ([]byte, error) {
	l.ask <- text
	return l.wait("it did not answer")
}

// wait waits for an answer, the end of the program or that of the time.
func (l *link) wait(silence string) ([]byte, error) {
	l.timer.Reset(l.timeout)
	select {
	case a := <-l.answer:
		if a.err != nil && l.server != nil {
			select {
			case <-l.server.Done():
				return nil, l.server.Death()
			case <-time.After(time.Second):
			}
		}
		if a.err != nil {
			return nil, fmt.Errorf("the connection broke: %w", a.err)
		}
		return a.text, nil
	case <-l.done():
		return nil, l.server.Death()
	case <-l.timer.C:
		return nil, fmt.Errorf("%s within %v", silence, l.timeout)
	}
}

// done is closed when a program of ours has ended.
func (l *link) done() <-chan struct{} {
	if l.server == nil {
		return nil
	}
	return l.server.Done()
}

func (l *link) close() {
	l.end()
	_ = l.socket.Close()
	close(l.ask)
	if l.server != nil {
		l.server.Close()
	}
}
