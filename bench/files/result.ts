import { machine } from '../lib/machine.js'
import { questions } from '../lib/questions.js'
import type { Result, ResultTable, Target } from '../lib/result.js'
import { median, othersShare, spread } from '../lib/statistics.js'
import type { DownloadFigures, DownloadRounds } from './downloads.js'
import type { FilesOptions } from './options.js'
import type { PhotographRound } from './photographs.js'
import type { UploadFigures, UploadRounds } from './uploads.js'

export interface FilesFound {
  readonly uploads: readonly UploadRounds[]
  readonly downloads: readonly DownloadRounds[]
  readonly photographs: readonly PhotographRound[]
}

const kinds = { form: 'in a form', tus: 'by tus' }
const senders = { server: 'sent by the server', accel: 'left to a proxy' }

export function filesResult(options: FilesOptions, { uploads, downloads, photographs }: FilesFound): Result {
  const { json: _, only, ...rest } = options
  return {
    scenario: 'files',
    question: questions.files,
    machine: machine(),
    options: { ...rest, ...(only !== undefined && { only }) },
    othersShare: othersShare(
      [...uploads, ...downloads].flatMap(({ rounds }) => rounds as { othersShare: number }[]).concat(photographs),
    ),
    notes: [
      'One worker. The floor is a server of node:http that stores a body as a file and syncs it, or reads a file of the same size.',
      'A download is one by a subscriber of the channel whose message holds the file. Left to a proxy: the server decides and answers with X-Accel-Redirect.',
    ],
    tables: [
      ...(uploads.length > 0 ? [uploadTable(options, uploads)] : []),
      ...(downloads.length > 0 ? [downloadTable(downloads)] : []),
      ...(photographs.length > 0 ? [photographTable(photographs)] : []),
    ],
    charts: [],
    targets: [
      ...uploads.map(one => uploadTarget(options, one)),
      ...downloads.map(downloadTarget),
      ...(photographs.length > 0 ? [photographTarget(options, photographs)] : []),
    ],
  }
}

function uploadTable({ megabytes, together }: FilesOptions, uploads: readonly UploadRounds[]): ResultTable {
  return {
    title: `Upload of ${megabytes} MB, ${together} at once`,
    columns: [
      { name: '' },
      { name: 'server ms' },
      { name: 'PostgreSQL ms' },
      { name: 'spread', percent: true },
      { name: 'floor ms' },
      { name: '× floor', decimals: 2 },
      { name: 'all ms' },
      { name: 'floor all ms' },
      { name: 'memory MB', decimals: 1 },
    ],
    rows: uploads.map(({ kind, rounds }) => {
      const of = (key: keyof UploadFigures) => median(rounds.map(round => round[key]))
      return {
        name: kinds[kind],
        cells: [
          of('serverMs'),
          of('postgresMs'),
          spread(rounds.map(({ serverMs }) => serverMs)),
          of('floorMs'),
          median(rounds.map(({ serverMs, floorMs }) => serverMs / floorMs)),
          of('elapsedMs'),
          of('floorElapsedMs'),
          of('grown') / 1e6,
        ],
      }
    }),
  }
}

const uploadTarget = ({ together }: FilesOptions, { kind, rounds }: UploadRounds): Target => ({
  what: `${together} uploads ${kinds[kind]}: memory of the worker above idle`,
  limit: 32,
  found: median(rounds.map(({ grown }) => grown)) / 1e6,
  is: 'atMost',
  unit: 'MB',
})

const timesFloor = (rounds: readonly DownloadFigures[]): number =>
  median(rounds.map(({ serverUs, postgresUs, floorUs }) => (serverUs + postgresUs) / floorUs))

const downloadTable = (downloads: readonly DownloadRounds[]): ResultTable => ({
  title: 'Download of 1 MB',
  columns: [
    { name: '' },
    { name: 'server µs' },
    { name: 'PostgreSQL µs' },
    { name: 'spread', percent: true },
    { name: 'floor µs' },
    { name: '× floor', decimals: 2 },
    { name: 'per second' },
  ],
  rows: downloads.map(({ name, rounds }) => {
    const of = (key: keyof DownloadFigures) => median(rounds.map(round => round[key]))
    const sums = rounds.map(({ serverUs, postgresUs }) => serverUs + postgresUs)
    return {
      name: senders[name],
      cells: [of('serverUs'), of('postgresUs'), spread(sums), of('floorUs'), timesFloor(rounds), of('perSecond')],
    }
  }),
})

const downloadTarget = ({ name, rounds }: DownloadRounds): Target => ({
  what: `download of 1 MB, ${senders[name]}: CPU of server and PostgreSQL`,
  limit: 1.5,
  found: timesFloor(rounds),
  is: 'atMost',
  unit: '× floor',
})

const photographTable = (rounds: readonly PhotographRound[]): ResultTable => {
  const row = (name: string, which: 'busy' | 'quiet') => {
    const of = (key: keyof PhotographRound['busy']) => median(rounds.map(round => round[which][key]))
    return { name, cells: [of('medianDelivery'), of('p99Delivery'), of('longestDelivery'), of('longestSend')] }
  }
  return {
    title: `Deliveries meanwhile; all thumbnails took ${Math.round(median(rounds.map(({ elapsedMs }) => elapsedMs)))} ms, a photograph ${Math.round(median(rounds.map(({ serverMs }) => serverMs)))} ms of CPU`,
    columns: [
      { name: '' },
      { name: 'p50 ms', decimals: 1 },
      { name: 'p99 ms', decimals: 1 },
      { name: 'longest ms', decimals: 1 },
      { name: 'longest send ms', decimals: 1 },
    ],
    rows: [row('with photographs', 'busy'), row('without', 'quiet')],
  }
}

const photographTarget = ({ photographs }: FilesOptions, rounds: readonly PhotographRound[]): Target => ({
  what: `${photographs} photographs: what deliveries wait longer, 99th percentile`,
  limit: 20,
  found: median(rounds.map(({ busy, quiet }) => busy.p99Delivery - quiet.p99Delivery)),
  is: 'atMost',
  unit: 'ms',
})
