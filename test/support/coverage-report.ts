import { basename } from 'node:path'
import type { Route } from '../../server/api/route.js'
import { parametersOf } from '../../server/openapi/parameters.js'
import type { EventDef } from '../../shared/events/event.js'
import { eventFact, fact, type Outcome, type Recording, type Shown } from './coverage.js'
import { ownOperations, ownParameters, pairs, servedBeside, type WireOperation } from './operations.js'

interface Report {
  readonly markdown: string
  /** One sentence for each thing that no test shows. */
  readonly holes: readonly string[]
}

/** The API coverage of the tests; independent of their order. */
export function coverageReport(
  areas: Readonly<Record<string, readonly Route[]>>,
  events: Iterable<Pick<EventDef, 'name' | 'apply'>>,
  recordings: readonly Recording[],
): Report {
  const proofs = new Proofs(recordings)
  const routes = Object.values(areas).flat()
  const wires = new Map(pairs(routes).flatMap(({ wire, route }) => (route ? [[route, wire] as const] : [])))
  const holes: string[] = []
  const sections = Object.entries(areas)
    .filter(([, ofArea]) => ofArea.length > 0)
    .map(([area, ofArea]) => {
      const parts = ofArea.map(route =>
        operationSection(route, { wire: wires.get(route), model: ofSameParameters(route, routes), proofs, holes }),
      )
      return [`## ${area}`, ...parts].join('\n\n')
    })
  const ofEvents = eventsSection(events, proofs, holes)
  const text = [head(holes), ...sections, ofEvents, beside]
  return { markdown: `${text.join('\n\n')}\n`, holes }
}

const head = (holes: readonly string[]): string =>
  [
    '# API coverage',
    '',
    'Which test shows each operation, parameter and event of the API, for contributors; `npm run coverage` writes this page from the requests and',
    'answers of the tests. Tests compare every answer with the OpenAPI document (`/api/v1/openapi.json`). The page names the test of the operation',
    'itself if that test shows the point, otherwise another one. "Refused" means that an answer named the parameter as wrong; a parameter',
    'without requirements, such as raw text without a limit, cannot be refused.',
    '',
    `**Holes.** ${holes.length === 0 ? 'None.' : ''}`,
    ...holes.map(hole => `- ${hole}`),
  ]
    .join('\n')
    .trimEnd()

/** An alias of an operation has the same parameters with the same schema. */
const ofSameParameters = (route: Route, routes: readonly Route[]): Route | undefined =>
  routes.find(
    one => one.params === route.params && one.operation !== route.operation && !(one.operation in ownOperations),
  )

function operationSection(
  route: Route,
  {
    wire,
    model,
    proofs,
    holes,
  }: {
    readonly wire: WireOperation | undefined
    readonly model: Route | undefined
    readonly proofs: Proofs
    readonly holes: string[]
  },
): string {
  const { operation, method, path } = route
  const [accepted, refused] = proofs.of(operation, '')
  const isAlwaysRefused = route.doc.startsWith('Refused: ')
  if (isAlwaysRefused && refused === undefined) holes.push(`${operation}: no test in which it is refused`)
  if (!isAlwaysRefused && accepted === undefined) holes.push(`${operation}: no test in which it succeeds`)
  const isOtherName = model !== undefined && operation in ownOperations
  const rows = isOtherName ? [] : parameterRows(route, wire, proofs, holes)
  const number = wire && /^E\d+$/.test(wire.id) ? `${wire.id}, ` : ''
  const tier = wire ? `${number}tier ${wire.tier}` : `not a reference operation: ${ownOperations[operation] ?? ''}`
  return [
    `### ${method} ${path}`,
    '',
    `\`${operation}\` (${tier}). Succeeds: ${accepted ?? '**none**'}. Refuses: ${refused ?? 'nothing but what every operation does'}.`,
    ...(isOtherName ? ['', `Its parameters are those of \`${model.operation}\`, by the same schema.`] : []),
    ...(rows.length === 0 ? [] : ['', '| Parameter | | accepted in | refused in |', '|---|---|---|---|', ...rows]),
  ].join('\n')
}

function parameterRows(route: Route, wire: WireOperation | undefined, proofs: Proofs, holes: string[]): string[] {
  const { operation, params } = route
  const rows = parametersOf(route).map(({ name, place, required, schema }) => {
    const [taken, notTaken] = proofs.of(operation, name)
    const isAlwaysRefused = schema.description?.startsWith('Refused: ') === true
    if (isAlwaysRefused && notTaken === undefined) holes.push(`${operation}: no test in which \`${name}\` is refused`)
    if (!isAlwaysRefused && taken === undefined) holes.push(`${operation}: no test in which \`${name}\` is accepted`)
    const about = [place, required ? 'required' : '', ownParameters[`${operation}.${name}`] ?? ''].filter(Boolean)
    return `| \`${name}\` | ${about.join(', ')} | ${taken ?? (isAlwaysRefused ? '' : '**none**')} | ${notTaken ?? ''} |`
  })
  // Parameters of the reference that this server lacks, with the reason.
  const missing = (wire?.params ?? []).filter(
    ({ name }) => !(name in params.shape) && ownParameters[`${operation}.${name}`],
  )
  return [
    ...rows,
    ...missing.map(one => `| \`${one.name}\` | ${one.in}, ${ownParameters[`${operation}.${one.name}`]} | | |`),
  ]
}

/** For each event type: clients receive it in the form of the reference schemas, and it updates the register answer. */
function eventsSection(events: Iterable<Pick<EventDef, 'name' | 'apply'>>, proofs: Proofs, holes: string[]): string {
  const rows = [...events]
    .filter(({ name }) => !name.startsWith('_'))
    .map(({ name, apply }) => {
      const [received, replayed] = [proofs.ofEvent(name, 'received'), proofs.ofEvent(name, 'replayed')]
      if (received === undefined) holes.push(`event ${name}: no test in which a client gets it`)
      if (apply && replayed === undefined) holes.push(`event ${name}: no test in which it brings a state up to date`)
      return `| \`${name}\` | ${received ?? '**none**'} | ${replayed ?? (apply ? '**none**' : 'changes no state')} |`
    })
  return [
    '## Events',
    '',
    'Received: in the form of the reference schemas. In step: the state that a client registered with, and the event, are the state',
    'of a fresh registration.',
    '',
    '| Event | received | in step |',
    '|---|---|---|',
    ...rows,
  ].join('\n')
}

/** The files that show each fact. */
class Proofs {
  private readonly files = new Map<string, string[]>()

  constructor(recordings: readonly Recording[]) {
    for (const { file, facts } of recordings) {
      for (const one of facts) this.files.set(one, [...(this.files.get(one) ?? []), file])
    }
  }

  of(operation: string, parameter: string): [accepted: string | undefined, refused: string | undefined] {
    const find = (outcome: Outcome) => this.best(operation, fact(operation, parameter, outcome))
    return [find('accepted'), find('refused')]
  }

  ofEvent(name: string, shown: Shown): string | undefined {
    return this.best(name.replace(/\W/g, '_'), eventFact(name, shown))
  }

  /** The operation's own test; otherwise the first of its area; otherwise the first of all. */
  private best(operation: string, one: string): string | undefined {
    const files = [...(this.files.get(one) ?? [])].sort()
    const own = `${operation.replaceAll('_', '-')}.test.ts`
    return files.find(file => basename(file) === own) ?? files.find(file => file.startsWith('test/api/')) ?? files[0]
  }
}

const beside = [
  '## Served outside of the operations',
  '',
  '| Operation | test |',
  '|---|---|',
  ...Object.entries(servedBeside).map(([id, test]) => `| \`${id}\` | ${test} |`),
].join('\n')
