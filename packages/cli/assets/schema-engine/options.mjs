/** `--datamodels <path>… --datasource <json> [cli <command>]`; every other option has one value, which is of no use here. */
export function parseOptions(argv) {
  const options = { datamodels: [], datasource: {}, command: null }
  for (let index = 0; index < argv.length; index += 2) {
    const value = argv[index + 1]
    if (argv[index] === '--datamodels') options.datamodels.push(value)
    if (argv[index] === '--datasource') options.datasource = JSON.parse(value)
    if (argv[index] === 'cli') options.command = value
  }
  return options
}
