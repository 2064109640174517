import { spawnSync } from 'node:child_process'

// Takes the pictures of the documentation anew, into docs/images/.
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'browser', 'test/browser/pictures.test.ts'], {
  stdio: 'inherit',
  shell: true,
  env: { ...process.env, PICTURES: 'true' },
})
process.exitCode = status ?? 1
