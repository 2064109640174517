// The process that serves an API: ports, workers, the way to its end.

export {
  gracefulShutdown,
  type ProcessLogger,
  type Shutdown,
  type ShutdownOptions,
} from './process/graceful-shutdown.ts'
export { listen } from './process/listen.ts'
export type { Served, ServeOptions, ServeStart } from './process/serve.ts'
export { superviseWorkers, type WorkersOptions } from './process/supervise-workers.ts'
export { reportReady } from './process/worker-messages.ts'
