// Odd paths, methods, headers and queries, for each route of the native layer: refusals are ordinary answers.
import t from 'tap'
import { type EdgeRequest, ReusedConnection } from '../../http/reuse.js'
import { basic } from '../../support/http.js'
import { nativePaths } from '../../support/native-paths.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t, { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_ADDRESS: '0', RATE_LIMIT_USER: '0' })
const owner = await server.person()
const paths = await nativePaths(server.nativeRoutes, server, owner)
const connection = new ReusedConnection({ port: Number(new URL(server.url).port) })
t.teardown(() => connection.end())

const oddPaths = (path: string) => [
  `${path}/`,
  `/${path}`,
  `${path}//`,
  path.replaceAll('/', '//'),
  `${path}/.`,
  `${path}/../..`,
  `/x/..${path}`,
  `${path}/%2e%2e%2f%2e%2e/etc/passwd`,
  path.replaceAll('/', '%2f'),
  path.toUpperCase(),
  ...['%', '%0', '%zz', '%00', '%ff', '%c3%28', '%e2%80%ae', '\0', '\xff\xc3', ';x=1', '#x', '|', "'--", '\\..\\'].map(
    ending => path + ending,
  ),
  `${path}/${'a'.repeat(8000)}`,
  `${path}/${'/'.repeat(8000)}`,
  `${path}/${'%41'.repeat(2700)}`,
  `http://test${path}`,
  `//test${path}`,
  ...['?', '?%', '?%00', '?=', '?&&&', '?a[]=1&a[]=2', '?api_key=', '?api_key=%ff', '?\xff', '??', '?a=b?c=d#e'].map(
    query => path + query,
  ),
  `${path}?${'a=b&'.repeat(2000)}`,
  `${path}?api_key=${'x'.repeat(8000)}`,
]

const oddMethods = ['get', 'PURGE', 'TRACE', 'CONNECT', 'PROPFIND', 'M-SEARCH', 'X'.repeat(300), "A!#$%&'*+.^_`|~"]

const list = (item: string, count: number) => Array.from({ length: count }, () => item).join(',')
const ranges = [
  'bytes=',
  'bytes=-',
  'bytes=5-1',
  'bytes=-0',
  'bytes=0-0,-1',
  'bytes=99999999999999999999-',
  'items=0-1',
  'bytes=a-b',
]
const oddHeaders: readonly Readonly<Record<string, string>>[] = [
  ...[...ranges, `bytes=${list('0-1', 2000)}`].map(value => ({ Range: value })),
  { Range: 'bytes=0-0', 'If-Range': '"' },
  ...[list('"a"', 2000), list('*', 2000), list('W/"x"', 1000), '"', ',,,', 'W/'].map(value => ({
    'If-None-Match': value,
  })),
  ...[list('gzip;q=0', 1000), 'br;q=2', '*;q=x', 'identity;q=0', ';;;', list('br', 3000)].map(value => ({
    'Accept-Encoding': value,
  })),
  ...['text/html', 'image/*', '*/*;q=0', list('a/b', 2000), '\xff'].map(value => ({ Accept: value })),
  ...['x', '=', ';;;', 'sessionid=', 'sessionid=x.y.z', 'a=b; '.repeat(1000), '\xff=\xfe'].map(value => ({
    Cookie: value,
  })),
  ...[
    'Basic',
    'Basic ====',
    `Basic ${'A'.repeat(8000)}`,
    'Bearer x',
    'Digest a=b',
    'Basic \xff',
    `Basic ${btoa(':')}`,
  ].map(value => ({ Authorization: value })),
  ...['null', 'x', 'http://', '\xff', 'https://a.example https://b.example'].map(value => ({ Origin: value })),
  ...['x', '1.2.3.4, x', '::', list('1.1.1.1', 1000), '[', '1.2.3.4:99999'].map(value => ({
    'X-Forwarded-For': value,
  })),
  { Expect: '100-continue' },
  { Connection: 'upgrade', Upgrade: 'websocket' },
  { Connection: 'upgrade', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' },
  { Connection: 'keep-alive, x', 'Keep-Alive': 'timeout=999999999' },
  ...['-1', '1e9', '99999999999999999999', ' ', '0x5'].map(value => ({
    'Tus-Resumable': '1.0.0',
    'Upload-Length': value,
    'Upload-Offset': value,
  })),
  ...['x', 'a b c d', 'filename \xff', list('a YQ==', 900), 'filename AAAA,filename AAAA'].map(value => ({
    'Tus-Resumable': '1.0.0',
    'Upload-Length': '5',
    'Upload-Metadata': value,
  })),
  { 'X-HTTP-Method-Override': 'PURGE', 'Tus-Resumable': '1.0.0' },
]

function* requests(path: string): Generator<EdgeRequest> {
  const request = (method: string, where: string, headers: Readonly<Record<string, string>> = {}): EdgeRequest => ({
    method,
    path: where,
    headers: { Authorization: basic(owner), ...headers },
    body: '',
  })
  for (const where of oddPaths(path)) for (const method of ['GET', 'HEAD']) yield request(method, where)
  yield request('OPTIONS', '*')
  for (const method of oddMethods) yield request(method, path)
  for (const headers of oddHeaders) for (const method of ['GET', 'HEAD', 'POST']) yield request(method, path, headers)
}

for (const [pattern, all] of paths) {
  t.test(pattern, async t => {
    const complaints: string[] = []
    for (const path of all) {
      for (const request of requests(path)) {
        const complaint = await connection.complaintOf(request)
        if (complaint) complaints.push(complaint)
      }
    }
    t.same(complaints, [])
  })
}
