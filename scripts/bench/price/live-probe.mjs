import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

// Asks a server for `/live` every 20 ms, in a process of its own, which nothing else keeps from it. Each message ends a round, and is
// answered with how long the slowest answer of the round took.

const [, , origin] = process.argv
let slowest = 0

const ask = () =>
  new Promise((resolve, reject) => {
    get(`${origin}/live`, { agent: false }, (response) => response.resume().on('end', resolve)).on('error', reject)
  })

let asked = Promise.resolve()
process.on('message', async () => {
  await asked
  process.send?.(Math.round(slowest))
  slowest = 0
})
process.on('disconnect', () => process.exit())

for (;;) {
  const began = performance.now()
  asked = ask().then(() => {
    slowest = Math.max(slowest, performance.now() - began)
  })
  await asked
  await sleep(20)
}
