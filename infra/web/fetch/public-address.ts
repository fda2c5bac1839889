// Whether an IP address belongs to the public internet. Addresses are judged by their bytes, never by how they are written; what no registry
// gives to everybody's use is refused, so a range that is missing here is refused rather than reached.
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Of IPv4 all that is special (IANA's special-purpose registry, RFC 6890), and what clouds use for metadata outside of it. */
const special4 = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carriers' own; 100.100.100.200 is Alibaba's metadata
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // Azure's host
  ['169.254.0.0', 16], // link-local, with the metadata of most clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocols; 192.0.0.192 is Oracle's metadata
  ['192.0.2.0', 24], // documentation
  ['192.52.193.0', 24], // relays of multicast
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks; also the made-up addresses of some proxies
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, with broadcast
] as const)
  special4.addSubnet(network, prefix, 'ipv4')

/** Of IPv6 only this is given out: loopback, mapped, NAT64, unique local, link-local and multicast addresses all lie outside. */
const given6 = new BlockList()
given6.addSubnet('2000::', 3, 'ipv6')
const special6 = new BlockList()
for (const [network, prefix] of [
  ['2001::', 23], // protocols, with Teredo, benchmarks and ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which holds an IPv4 address
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
] as const)
  special6.addSubnet(network, prefix, 'ipv6')

/** `address` is a plain IPv4 or IPv6 address; anything else is not public. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special4.check(address, 'ipv4')
  // A zone names an interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return false
  return given6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}
