import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// Stands before a server: with each SIGUSR2 it says how long the event loop was kept from its next turn, since the last one.

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  process.on('SIGUSR2', () => {
    console.error(`loop delay ${Math.round(delay.max / 1e6)} ms`)
    delay.reset()
  })
}
