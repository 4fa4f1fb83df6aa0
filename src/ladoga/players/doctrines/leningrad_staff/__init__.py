"""What the doctrine of Leningrad is made of."""
