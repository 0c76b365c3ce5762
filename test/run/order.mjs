// The longest files of each tier start first, so that none of them runs alone at the end.
const slowFirst = [
  'test/http/bad-requests.test.ts',
  'test/openapi/bounds.test.ts',
  'test/api/odd-ids.test.ts',
  'test/admin/setting.test.ts',
  'test/memory/unread-places.test.ts',
  'test/memory/channel-lists.test.ts',
  'test/http/body-window.test.ts',
  'test/realtime/tail.test.ts',
  'test/protection/rate-limit.test.ts',
  'test/api/presence/update-own-presence.test.ts',
  'test/memory/directory-lease.test.ts',
  'test/web/accessibility.test.ts',
  'test/web/accessibility-phone.test.ts',
  'test/web/warm-start.test.ts',
  'test/web/reading-place.test.ts',
  'test/web/restart.test.ts',
  'test/web/by-keyboard/own.test.ts',
  'test/web/by-keyboard/places.test.ts',
  'test/platform/openapi/fuzz.test.ts',
  'test/platform/upgrade/rolling.test.ts',
  'test/platform/start-failures.test.ts',
  'test/platform/installation.test.ts',
  'test/platform/bench/smoke.test.ts',
  'test/faults/files-and-votes.test.ts',
  'test/faults/worker-hangs.test.ts',
  'test/faults/postgres-network.test.ts',
  'test/faults/redis-away.test.ts',
  'test/faults/attack.test.ts',
  'test/faults/cluster-failover.test.ts',
  'test/faults/half-open.test.ts',
  'test/faults/statement-timeouts.test.ts',
]

const rank = file => (slowFirst.includes(file) ? slowFirst.indexOf(file) : slowFirst.length)

/** The files in the order of execution. */
export const ordered = files => files.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en'))
