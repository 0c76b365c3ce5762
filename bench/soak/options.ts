import { readOptions } from '../lib/options.js'

const defaults = {
  minutes: 30,
  // Channel messages per second; other actions are proportional.
  rate: 20,
  // Number of queues with a reader.
  readers: 120,
  workers: 2,
  // Seconds until a missing event fails the soak.
  patience: 30,
  // Idle timeout of queues in seconds: longer than any reader is disconnected.
  idle: 30,
  // Number of 10 kB messages that slow readers miss: by default more than all buffers of a socket hold.
  flood: 1000,
}
export type SoakOptions = Readonly<typeof defaults>

export const readSoakOptions = (args: string[]): SoakOptions => readOptions(args, defaults)
