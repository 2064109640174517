import { createTwoFilesPatch } from 'diff'

/** Reports by the names of their files. */
export type Reports = ReadonlyMap<string, string>

/** What is different between the reports that are committed and those of the code, as text to read; empty where nothing is. */
export function differences(committed: Reports, made: Reports): string {
  const names = [...new Set([...made.keys(), ...committed.keys()])].sort()
  return names
    .filter((name) => committed.get(name) !== made.get(name))
    .map((name) => createTwoFilesPatch(`api/${name}`, 'the code', committed.get(name) ?? '', made.get(name) ?? ''))
    .join('\n')
}
