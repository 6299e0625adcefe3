// Package fragmentation reproduces the placement study of Weng et al., Beware of
// Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent,
// USENIX ATC 2023, on the cluster data its authors published (Alibaba's openb, 2023):
// pods arrive one after another until they have asked for 130 % of all GPUs, each is
// placed by the policy's score or dropped, nobody ever leaves, and after each arrival
// the allocated GPUs and their fragmentation are noted.
package fragmentation
