import { isIPv6 } from 'node:net'

/**
 * What a guest is counted by: the address, and of IPv6 the network, whose 64 bits of hosts belong to one customer.
 *
 * @example
 * addressKey('::ffff:192.0.2.1') // '192.0.2.1'
 * addressKey('2001:db8::17') // '2001:db8:0:0'
 */
export function addressKey(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [bare = ''] = address.split('%')
  const [left = '', right] = bare.split('::')
  const head = groups(left)
  const tail = right === undefined ? [] : groups(right)
  // An IPv4 address at the end stands for two groups.
  const width = tail.length + (bare.includes('.') ? 1 : 0)
  const all = right === undefined ? head : [...head, ...Array(8 - head.length - width).fill('0'), ...tail]
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')
}

const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
