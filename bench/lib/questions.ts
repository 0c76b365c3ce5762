/** The question that each scenario answers, by its name on the command line. */
export const questions = {
  fanout: 'What does it cost to deliver one message to one client, next to the least that this machine allows?',
  longpoll: 'What does it cost to answer one waiting poll with a message, next to bare parked responses?',
  send: 'What does it cost to send a message, and how many can be committed in a second?',
  lone: 'What does a message cost that is alone: few a second, without deliveries?',
  personal: 'Do alert words of all users and polls slow those who send, and what do read receipts cost?',
  latency: 'How long does a message take from its sender to its readers, at half of the load that can be sustained?',
  idle: 'What does a client cost that does nothing: memory for its socket and its queue, CPU for its heartbeats?',
  resume: 'How long does it take until all clients are live again after a worker died?',
  register: "What does a client's beginning cost, in a large organization: all of its state?",
  registers: 'What do others notice when a hundred clients of a large organization begin at once?',
  presence: "What does it cost to report one's presence and to learn who else is there, in a large organization?",
  growth: 'How does the cost of a delivery grow with queues, workers and nodes of Redis?',
  subscribe: 'What does it cost to subscribe people, and to make channels?',
  groups: 'What does it cost to make a group of half the organization, and to change who is in it?',
  topics: "What does the list of a channel's topics cost, in a channel with thousands of them?",
  messages: 'What does a page of messages cost, by what it is narrowed to?',
  narrows: 'What does a page of messages cost that must be searched for, by the reader and the conditions?',
  memory:
    'What does a request cost that a server can answer from its memory, next to a bare one that sends the same bytes?',
  render: 'What does it cost to render a message: a usual one, and the worst of the greatest length?',
  start: 'How long does the start of a server with a long history take, and how much memory has its worker then?',
  files: 'What do uploads, downloads and thumbnails cost, and what do others notice of them?',
  attack: 'What do honest clients notice while others make the dearest requests they can?',
  soak: 'Does anything grow, get lost or come twice while all kinds of traffic go on for long?',
} as const

export type ScenarioName = keyof typeof questions
