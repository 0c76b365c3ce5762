import type { Test } from 'tap'
import { type Random, seeded, seedOf } from '../../support/random.js'
import { spawnServer, testOrganization } from '../../support/server.js'
import { type Services, services } from '../../support/services.js'
import { Scene, type SceneOptions, type Stage } from './scene.js'

/** Random numbers of this run; the printed seed repeats them. */
export function randomOf(t: Test): Random {
  const seed = seedOf('FAULT_SEED')
  t.comment(`FAULT_SEED=${seed}`)
  return seeded(seed)
}

/** Settings of a server with this many workers, without logging of expected errors. */
export const serverSettings = (workers: number, others: Record<string, string> = {}): Record<string, string> => ({
  WORKERS: String(workers),
  LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal',
  ...others,
})

/** Starts an organization on the test's servers; the load begins with `scene.send()`. */
export async function startScene(t: Test, stage: Stage, options: SceneOptions): Promise<Scene> {
  const scene = await Scene.start(stage, options)
  t.teardown(() => scene.stop())
  return scene
}

interface Beginning extends Omit<SceneOptions, 'random'> {
  readonly workers: number
  readonly settings?: Record<string, string>
  /** Databases that the test breaks; by default those of the test run. */
  readonly stores?: Services
}

/** The start of most fault tests: one server, and a scene on it. */
export async function begin(t: Test, { workers, settings = {}, stores, ...options }: Beginning) {
  const random = randomOf(t)
  const organization = await testOrganization(t, stores ?? (await services(t)))
  const server = await spawnServer(t, serverSettings(workers, settings), organization)
  const scene = await startScene(t, server, { random, ...options })
  return { random, organization, server, scene }
}
