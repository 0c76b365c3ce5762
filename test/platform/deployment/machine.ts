import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { projectRoot } from '../../../server/config/paths.js'
import { dataDirectory } from '../places.js'

// What each program does in place of the real one: the machine of a test has no accounts, services and packages of its own.
const replaced: Readonly<Record<string, string>> = {
  useradd: 'echo "useradd $*" >> "$CALLS"',
  systemctl: 'echo "systemctl $*" >> "$CALLS"',
  sysctl: 'echo "sysctl $*" >> "$CALLS"',
  runuser: '[ "$1 $2 $3" = "-u postgres --" ] && shift 3 && exec "$@"',
  git: '[ "$1" = clone ] && mkdir -p "$3" && ln -s "$PROJECT"/* "$3"',
  npm: 'case "$1 $2" in "ci "*|"run build") echo "npm $*" >> "$CALLS";; *) exec "$NPM" "$@";; esac',
}

/** A directory that looks like the root of a machine to the commands of docs/deployment.md. */
export class Machine {
  readonly root: string
  private readonly _calls: string

  constructor(
    t: Test,
    private readonly settings: Record<string, string>,
    private readonly addresses: Readonly<Record<string, string>>,
  ) {
    this.root = dataDirectory(t)
    this._calls = join(this.root, 'calls')
    for (const directory of ['bin', 'opt', 'etc/redis', 'etc/sysctl.d', 'etc/systemd/system', 'var/lib/parley'])
      mkdirSync(join(this.root, directory), { recursive: true })
    for (const [name, does] of Object.entries(replaced)) {
      const file = join(this.root, 'bin', name)
      writeFileSync(file, `#!/bin/sh\n${does}\n`)
      chmodSync(file, 0o755)
    }
    writeFileSync(this._calls, '')
  }

  /** A text of the documents with the paths and addresses of this machine. */
  translated(text: string): string {
    const withPaths = text.replaceAll(/(?<=^|[\s'"=>])\/(?=(?:opt|etc|var\/lib)\/)/gm, `${this.root}/`)
    return Object.entries(this.addresses).reduce((all, [from, to]) => all.replaceAll(from, to), withPaths)
  }

  /** Runs commands as they are documented; the first that fails ends them. @throws with what they said */
  async run(commands: string, directory = this.root): Promise<string> {
    const path = [join(this.root, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
    const env = { PATH: path, HOME: this.root, CALLS: this._calls, PROJECT: projectRoot, NPM: npm(), ...this.settings }
    const script = ['-euo', 'pipefail', '-c', this.translated(commands)]
    const { stdout } = await promisify(execFile)('bash', script, { cwd: directory, env })
    return stdout
  }

  /** The calls of replaced programs so far. */
  calls(): string[] {
    return readFileSync(this._calls, 'utf8').trimEnd().split('\n')
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8')
  }

  /** Settings that systemd gives the service: those of the unit, and those of its file, which replace them. */
  serviceSettings(): Record<string, string> {
    const unit = this.translated(this.read('etc/systemd/system/parley.service'))
    const [, file = ''] = /^EnvironmentFile=(.*)$/m.exec(unit) ?? []
    const own = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)]
    const given = [...this.translated(readFileSync(file, 'utf8')).matchAll(/^(\w+)=(.+)$/gm)]
    return Object.fromEntries([...own, ...given].map(([, name, value]) => [String(name), String(value)]))
  }
}

/** The npm of this machine, before another one of the same name. */
function npm(): string {
  const places = [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)]
  const place = places.find(directory => {
    try {
      return readdirSync(directory).includes('npm')
    } catch {
      return false
    }
  })
  return join(place ?? '', 'npm')
}
