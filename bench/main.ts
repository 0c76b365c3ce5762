import { machine, textOfResult } from './lib/result.js'
import { scenarios } from './scenarios.js'

const usage = `Usage: npm run bench -- <scenario> [options] [--json]

${Object.entries(scenarios)
  .map(([name, { question }]) => `  ${name.padEnd(10)} ${question}`)
  .join('\n')}

See bench/README.md for the options of each scenario.`

async function run(name: string, args: string[]): Promise<void> {
  if (['', 'list', 'help', '--help', '-h'].includes(name) || args.includes('--help')) return void console.log(usage)
  const scenario = scenarios[name]
  if (!scenario) throw new Error(`There is no ${name}.\n\n${usage}`)
  const given = args.filter(arg => arg !== '--json')
  const { question } = scenario
  const result = { scenario: name, question, machine: machine(), ...(await scenario.run(given)) }
  process.stdout.write(`${given.length < args.length ? JSON.stringify(result) : textOfResult(result)}\n`)
}

const [name = '', ...args] = process.argv.slice(2)
try {
  await run(name, args)
  process.exit(process.exitCode ?? 0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  if (process.env.BENCH_STACK) console.error(error)
  process.exit(1)
}
