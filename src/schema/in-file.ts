/** Runs what looks at one file of the application: whatever it throws begins with the file, where that is known. */
export function inFile<T>(file: string | undefined, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (file === undefined) throw error
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
