import { createServer } from 'node:net'
import { listen } from 'prismapi/node'
import { expect, test } from 'vitest'
import { expectTold } from '../../../../test/support/documentation/told.ts'

const message = (port: number) => `The port is ${port}. Set PORT to a number from 0 to 65535.`

test.each([Number('abc'), -1, 1.5, 65_536])('port %s is refused in one line', async (port) => {
  await expect(listen(createServer(), { host: '127.0.0.1', port })).rejects.toThrow(new Error(message(port)))
})

test('docs/troubleshooting.md quotes it', () => expectTold(message(Number.NaN)))
