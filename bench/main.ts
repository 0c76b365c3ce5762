import { all } from './all/run-all.js'
import { writeReport } from './all/write-report.js'
import { questions, type ScenarioName } from './lib/questions.js'
import { scenarios } from './scenario-table.js'

const names = Object.keys(scenarios) as ScenarioName[]

const usage = `Usage: npm run bench -- <command> [options]

  list              what each scenario answers
  <scenario> [--quick]
                    runs one: ${names.join(', ')}
  all [--quick] [--only a,b]
                    runs them one after the other, keeps what they find in bench/results, and writes bench/report.html
  report            writes bench/report.html from what bench/results keeps

Scenarios take options of their own, and all of them --json; see bench/README.md.`

const list = () => names.map(name => `${name.padEnd(10)} ${questions[name]}`).join('\n')

async function command(name: string, args: string[]): Promise<void> {
  if (['', 'help', '--help', '-h'].includes(name)) return void console.log(usage)
  if (name === 'list') return void console.log(list())
  if (name === 'all') return all(args)
  if (name === 'report') return writeReport()
  const scenario = scenarios[name.replaceAll('-', '') as ScenarioName]
  if (!scenario) throw new Error(`There is no ${name}.\n\n${usage}`)
  if (args.includes('--help'))
    return void console.log(`${name}: ${questions[name as ScenarioName]}\nSee bench/README.md.`)
  const isQuick = args.includes('--quick')
  // Explicit arguments override those of --quick.
  await scenario.run(isQuick ? [...scenario.quick, ...args.filter(arg => arg !== '--quick')] : args)
}

const [name = '', ...args] = process.argv.slice(2)
try {
  await command(name, args)
  process.exit(process.exitCode ?? 0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  if (process.env.BENCH_STACK) console.error(error)
  process.exit(1)
}
