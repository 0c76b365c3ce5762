import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../config/paths.js'
import type { Argument, RedisClient } from './client.js'

/** The Redis Functions: each is server/redis/lua/{name}.lua, whose head lists its keys, arguments and result. */
export type FunctionName =
  | 'run'
  | 'publish'
  | 'restore'
  | 'fetch'
  | 'transactions'
  | 'create'
  | 'log-append'
  | 'take'
  | 'drop'
  | 'presence'
  | 'attempt'
  | 'grow'
  | 'show'
  | 'end-growth'
  | 'recall'

export interface Functions {
  call(name: FunctionName, keys: readonly string[], args: readonly Argument[]): Promise<unknown>
}

/** Loads the library of Functions into Redis, and again whenever Redis reports that it is missing (a new node, lost data). */
export async function loadFunctions(redis: RedisClient): Promise<Functions> {
  const { code, suffix } = library()
  const load = () => redis.onEachMaster('FUNCTION', 'LOAD', 'REPLACE', code)
  await load()
  return {
    async call(name, keys, args) {
      const full = `${name.replaceAll('-', '_')}_${suffix}`
      try {
        return await redis.command('FCALL', full, keys.length, ...keys, ...args)
      } catch (error) {
        if (!(error instanceof Error && error.message.includes('Function not found'))) throw error
        await load()
        return await redis.command('FCALL', full, keys.length, ...keys, ...args)
      }
    },
  }
}

/** Names contain the digest of the code, so that servers of two versions can share one Redis while one replaces the other. */
function library(): { code: string; suffix: string } {
  const directory = join(projectRoot, 'server/redis/lua')
  const parts = readdirSync(directory)
    .filter(file => file.endsWith('.lua'))
    .sort()
    .map(file => ({ name: file.slice(0, -4).replaceAll('-', '_'), body: readFileSync(join(directory, file), 'utf8') }))
  const head = readFileSync(join(projectRoot, 'server/redis/process.lua'), 'utf8')
  const suffix = createHash('sha256')
    .update(JSON.stringify([head, parts]))
    .digest('hex')
    .slice(0, 8)
  const blocks = parts.map(
    ({ name, body }) => `do\n${body}\nredis.register_function('${name}_${suffix}', ${name})\nend`,
  )
  return { code: `#!lua name=parley_${suffix}\n${head}\n${blocks.join('\n')}\n`, suffix }
}
