// What lies on the disk, and how it comes there: in copies of this tree, by the commands that users run.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { projectRoot } from '../../server/config/paths.js'
import { dataDirectory } from './places.js'

const bytesPerMebibyte = 2 ** 20

/** A copy of the sources as git would give them, without what is ignored. */
function copyOfSources(t: Test): string {
  const copy = dataDirectory(t)
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
  for (const file of list.split('\0').filter(name => name !== '' && existsSync(join(projectRoot, name)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(projectRoot, file), join(copy, file))
  }
  return copy
}

/** Runs `npm start` in a folder until the server is ready, and stops it; resolves with what it wrote. */
async function started(folder: string, env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [join(folder, 'server/bin/start.mjs')], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      WORKERS: '1',
      DEMO: '0',
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', text => {
      output += text
      if (/^ready /m.test(output)) child.kill('SIGTERM')
    })
  }
  await once(child, 'close')
  return output
}

const installedPackages = (folder: string) => {
  const modules = join(folder, 'node_modules')
  return readdirSync(modules).flatMap(name =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map(inner => `${name}/${inner}`) : [name],
  )
}

/** Bytes on the disk, in blocks as `du` counts them. */
const bytesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(entry => statSync(join(entry.parentPath, entry.name)).blocks * 512)
    .reduce((sum, bytes) => sum + bytes, 0)

t.test('two first starts in one folder at the same moment build once, and both serve', async t => {
  const copy = copyOfSources(t)
  symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'))
  const outputs = await Promise.all([1, 2].map(() => started(copy, { DATA_DIR: dataDirectory(t) })))
  for (const output of outputs) t.match(output, /^ready /m)
  t.equal(outputs.filter(output => /^Compiling the program/m.test(output)).length, 1)
  t.equal(outputs.filter(output => /^Waiting for process \d+/m.test(output)).length, 1)
})

t.test('a start goes on where another was killed while it built', async t => {
  const copy = copyOfSources(t)
  symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'))
  cpSync(join(projectRoot, 'dist'), join(copy, 'dist'), { recursive: true })
  const killed = spawn('true')
  await once(killed, 'close')
  rmSync(join(copy, 'dist/.stamp'))
  writeFileSync(join(copy, 'dist/.lock'), String(killed.pid))
  t.match(await started(copy, { DATA_DIR: dataDirectory(t) }), /^ready /m)
  t.notOk(existsSync(join(copy, 'dist/.lock')))
})

t.test('a production installation is small, serves, and brings nothing more', async t => {
  const copy = copyOfSources(t)
  cpSync(join(projectRoot, 'dist'), join(copy, 'dist'), { recursive: true })
  execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: copy, stdio: ['ignore', 'ignore', 2] })
  const before = installedPackages(copy)
  t.notOk(before.includes('typescript'))
  const mebibytes = Math.ceil(bytesOf(join(copy, 'node_modules')) / bytesPerMebibyte)
  t.ok(mebibytes < 150, `${mebibytes} MiB`)
  const output = await started(copy, { DATA_DIR: dataDirectory(t) })
  t.match(output, /^ready /m)
  t.notMatch(output, /Installing|Compiling|Building/)
  t.same(installedPackages(copy), before)
})
