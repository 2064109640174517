import { expect, test } from 'vitest'
import { addressKey } from '../../../src/http/throttling.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:0001:02::', '2001:db8:1:2'],
  ['2001:db8::17', '2001:db8:0:0'],
  ['2001:db8:1::5:6:7:8', '2001:db8:1:0'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
  ['1::3:4:5:6:192.0.2.1', '1:0:3:4'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
  ['unknown', 'unknown'],
])('%s is counted as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})
