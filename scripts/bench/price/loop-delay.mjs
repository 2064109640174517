import { openSync, readSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// Stands before a server: with each SIGUSR2 it says how long the event loop was kept from its next turn since the last one, and how much
// CPU time of its thread a turn took. The first says what others had to wait for; the second is the same while other work wants the cores.

const resolution = 5

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  const cpu = cpuOfThisThread()
  let [before, longest] = [cpu(), 0]
  const look = () => {
    const now = cpu()
    longest = Math.max(longest, now - before)
    before = now
  }
  setInterval(look, resolution).unref()
  process.on('SIGUSR2', () => {
    look()
    console.error(`loop delay ${Math.round(delay.max / 1e6)} ms, turn ${Math.round(longest)} ms`)
    delay.reset()
    longest = 0
  })
}

/** Linux has it of each thread, in nanoseconds; the first thread has the id of the process. */
function cpuOfThisThread() {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const bytes = Buffer.alloc(100)
  return () => Number.parseInt(bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0)), 10) / 1e6
}
