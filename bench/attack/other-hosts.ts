import { Socket } from 'node:net'

// Loaded into the processes of the server (`--import`), which connect to addresses of the Internet only: connections to some of them lead to
// this machine, where the attackers' hosts are.
const { connect } = Socket.prototype

Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  const [first] = args
  const options: unknown = Array.isArray(first) ? first[0] : first
  if (isToHost(options) && options.host.startsWith(process.env.BENCH_SLOW_HOSTS ?? 'none')) options.host = '127.0.0.1'
  return connect.apply(this, args as Parameters<typeof connect>)
} as typeof connect

const isToHost = (options: unknown): options is { host: string } =>
  typeof options === 'object' && options !== null && 'host' in options && typeof options.host === 'string'
