import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DoctorReport } from '@prismapi/cli/doctor/report'
import { run } from '@prismapi/cli/run'

/** What `prismapi doctor --json` prints of a schema. */
export async function doctorReport(schema: string): Promise<DoctorReport> {
  const root = mkdtempSync(path.join(tmpdir(), 'prismapi-doctor-'))
  const said: string[] = []
  try {
    writeFileSync(path.join(root, 'schema.prisma'), schema)
    await run(['doctor', '--json'], root, {
      say: (text) => void said.push(text),
      // What cannot be served is said in the report, too.
      complain: () => {},
      paint: (_colour, text) => text,
    })
    return JSON.parse(said.join('\n'))
  } finally {
    rmSync(root, { recursive: true })
  }
}
