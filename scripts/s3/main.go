// The program bourse with one store more: --out s3://bucket/prefix of a sweep, and reading sweeps from there. It is a module of its
// own, so that bourse itself has no client of S3 and no network.
//
//	go build -C scripts/s3 -o bourse-s3 .
//	AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... bourse-s3 sweep log.swf --policy easy,fcfs --replicas 5 --shard 0/2 --out s3://bucket/cells
//
// Keys are those of the environment, of ~/.aws, or of the machine; AWS_ENDPOINT_URL names another server than Amazon's, AWS_REGION the
// region.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"bourse/cmd/cli"
	"bourse/reports/ask/sweep"
)

func main() { cli.Main(cli.Own{Stores: map[string]cli.OpenStore{"s3": open}}) }

// bucket is the objects of a bucket below a prefix, a sweep.Store.
type bucket struct {
	client       *minio.Client
	name, prefix string
}

// open opens s3://bucket/prefix.
func open(name string) (sweep.Store, error) {
	u, err := url.Parse(name)
	if err != nil || u.Host == "" || strings.Trim(u.Path, "/") == "" || u.RawQuery+u.Fragment != "" {
		return nil, fmt.Errorf("%s: want a bucket and the beginning of names in it, as in s3://bucket/cells", name)
	}
	endpoint := os.Getenv("AWS_ENDPOINT_URL_S3")
	if endpoint == "" {
		endpoint = os.Getenv("AWS_ENDPOINT_URL")
	}
	if endpoint == "" {
		endpoint = "https://s3.amazonaws.com"
	}
	at, err := url.Parse(endpoint)
	if err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http" {
		return nil, fmt.Errorf("AWS_ENDPOINT_URL is %q; want the address of a server, as in https://s3.example.org", endpoint)
	}
	keys := credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{},
		&credentials.IAM{}})
	client, err := minio.New(at.Host, &minio.Options{Creds: keys, Secure: at.Scheme == "https", Region: os.Getenv("AWS_REGION")})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &bucket{client, u.Host, strings.Trim(u.Path, "/")}, nil
}

// fault says which server refuses what.
func (b *bucket) fault(what string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%s of s3://%s/%s at %s: %w", what, b.name, b.prefix, b.client.EndpointURL().Host, err)
}

// Fetch implements sweep.Store. A name that leads out of the folder is refused.
func (b *bucket) Fetch(ctx context.Context, dir string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for o := range b.client.ListObjects(ctx, b.name, minio.ListObjectsOptions{Prefix: b.prefix + "/", Recursive: true}) {
		if o.Err != nil {
			return b.fault("the list", o.Err)
		}
		name := filepath.FromSlash(strings.TrimPrefix(o.Key, b.prefix+"/"))
		if !filepath.IsLocal(name) {
			return fmt.Errorf("s3://%s/%s: the name leads out of the folder", b.name, o.Key)
		}
		to := filepath.Join(dir, name)
		if s, err := os.Stat(to); err == nil && s.Size() == o.Size {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := b.client.FGetObject(ctx, b.name, o.Key, to, minio.GetObjectOptions{}); err != nil {
			return b.fault(name, err)
		}
	}
	return nil
}

// Put implements sweep.Store.
func (b *bucket) Put(ctx context.Context, dir, name string) error {
	return b.put(ctx, dir, name, minio.PutObjectOptions{})
}

// Finish implements sweep.Store: by a put that S3 refuses if the object is there.
func (b *bucket) Finish(ctx context.Context, dir, name string) error {
	o := minio.PutObjectOptions{DisableMultipart: true}
	o.SetMatchETagExcept("*")
	err := b.put(ctx, dir, name, o)
	if refused := minio.ToErrorResponse(errors.Unwrap(err)); err != nil && refused.StatusCode == 412 {
		return nil // another process was first, with the same bytes
	}
	return err
}

func (b *bucket) put(ctx context.Context, dir, name string, o minio.PutObjectOptions) error {
	_, err := b.client.FPutObject(ctx, b.name, path.Join(b.prefix, name), filepath.Join(dir, filepath.FromSlash(name)), o)
	return b.fault(name, err)
}
