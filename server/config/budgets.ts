/** A limit on what one request, account or statement may cost. */
export interface Budget {
  /** The largest value that is accepted. */
  readonly most: number
  readonly unit: 'bytes' | 'characters' | 'items' | 'levels' | 'ms' | 'steps'
  /** The counted quantity, as a noun phrase for the table in docs/security.md. */
  readonly counts: string
  /** The result beyond the budget: an error code, or how the answer is shortened. */
  readonly beyond: string
}

const budget = (most: number, unit: Budget['unit'], counts: string, beyond: string): Budget => ({
  most,
  unit,
  counts,
  beyond,
})

/**
 * The budgets of requests that are neither settings (`server/config.ts`) nor limits that the protocol announces (`shared/limits.ts`). docs/security.md holds the table generated from it; `test/laws/budgets.test.ts` compares the two.
 *
 * A value leaves some room above the largest legitimate request: at the budget an operation costs a worker less than 100 ms, and a
 * request beyond it is rejected before the worker does any work for it.
 */
export const budgets = {
  // Limits of a request that apply before the caller and the operation are known.
  formPairs: budget(1_000, 'items', 'name and value pairs of a query and a form together', 'BAD_REQUEST'),
  pageFormBytes: budget(65_536, 'bytes', 'the form of a page for signing in or signing up', 'REQUEST_TOO_LARGE'),
  scimFilter: budget(
    1_000,
    'characters',
    'the filter of a list of SCIM, and the path of a change',
    'invalidFilter, invalidPath',
  ),
  scimOperations: budget(1_000, 'items', 'operations of a PATCH by SCIM', 'tooMany'),
  scimMembers: budget(
    20_000,
    'items',
    'members in a list of a request or an answer of SCIM',
    'tooMany; a page of groups ends earlier',
  ),
  scimPage: budget(200, 'items', 'people or groups on a page of SCIM', 'the page is shorter'),
  parameterName: budget(256, 'characters', 'the name of a parameter', 'BAD_REQUEST'),
  partHead: budget(512, 'bytes', 'the head of a part of a multipart body', 'BAD_REQUEST'),
  idempotencyKey: budget(255, 'characters', 'an `Idempotency-Key`', 'BAD_REQUEST'),
  storedAnswer: budget(
    16_384,
    'characters',
    'an answer that is stored with its `Idempotency-Key`',
    'a repeated request gets IDEMPOTENT_ANSWER_NOT_STORED',
  ),
  // The rate limit: 1,200 requests of an account per minute at 10 ms each use a fifth of one worker.
  pointMs: budget(10, 'ms', 'work of a request that counts once', 'each 10 ms more count as a request'),
  pointBytesIn: budget(20_000, 'bytes', 'a body or frame that counts once', 'each 20,000 more count as a request'),
  pointBytesOut: budget(1_000_000, 'bytes', 'an answer that counts once', 'each 1,000,000 more count as a request'),
  largeRequest: budget(
    16_384,
    'bytes',
    'a query and body, or a frame, that is not large',
    'one large request of a worker runs at a time, and then none for as long as it took, at most 250 ms; others wait; beyond 50 that wait SERVER_NOT_READY',
  ),
  jsonDepth: budget(
    32,
    'levels',
    'nested arrays and objects of a JSON parameter, a JSON frame or a MessagePack frame',
    'BAD_REQUEST',
  ),
  jsonItems: budget(50_000, 'items', 'values in a JSON parameter, a JSON frame or a MessagePack frame', 'BAD_REQUEST'),
  authFrameBytes: budget(
    4_096,
    'bytes',
    'the `auth` frame of a socket, and what it sends while its key is looked up',
    'close codes 4001 and 4003',
  ),

  // Narrows and searches.
  narrowTerms: budget(50, 'items', 'terms of a narrow', 'BAD_NARROW'),
  narrowCharacters: budget(10_000, 'characters', 'operands of a narrow together', 'BAD_NARROW'),
  searchCharacters: budget(1_000, 'characters', 'search terms of a narrow together', 'BAD_NARROW'),
  searchPhrases: budget(10, 'items', 'quoted phrases in the search terms of a narrow', 'BAD_NARROW'),
  countedMatches: budget(
    1_000,
    'items',
    'messages that the summary of a search counts and ranks',
    'the rest is not counted',
  ),

  // Texts of a parameter that has no limit of its own.
  nameCharacters: budget(1_000, 'characters', 'a text that names something or is one of some words', 'BAD_REQUEST'),
  textCharacters: budget(1_000_000, 'characters', 'a text that is cut to its limit, as messages are', 'BAD_REQUEST'),
  tokenCharacters: budget(16_384, 'characters', 'a signed token', 'BAD_REQUEST'),

  // Lists of a parameter; a repeated item counts each time.
  idsPerList: budget(10_000, 'items', 'ids of users or messages in a list', 'BAD_REQUEST'),
  groupsPerList: budget(1_000, 'items', 'ids of user groups in a list', 'BAD_REQUEST'),
  channelsPerRequest: budget(
    1_000,
    'items',
    'channels to subscribe to, to leave, or to change settings of',
    'BAD_REQUEST',
  ),
  newChannelsPerRequest: budget(100, 'items', 'channels that one request makes', 'BAD_REQUEST'),
  principalsPerRequest: budget(5_000, 'items', 'users to subscribe or unsubscribe', 'BAD_REQUEST'),
  subscriptionsPerRequest: budget(5_000, 'items', 'users times channels of such a request', 'BAD_REQUEST'),
  storageKeys: budget(1_000, 'items', 'keys of a bot’s storage in a request', 'BAD_REQUEST'),
  storageCharacters: budget(10_000_000, 'characters', 'a key or a value of a bot’s storage', 'BAD_REQUEST'),
  recipients: budget(500, 'items', 'people of a direct conversation', 'BAD_REQUEST'),
  recipientsCharacters: budget(200_000, 'characters', 'the recipients of a message as text', 'BAD_REQUEST'),
  settingMembers: budget(1_000, 'items', 'users of a permission’s value', 'BAD_REQUEST'),
  eventTypes: budget(200, 'items', 'types of events in a list', 'BAD_REQUEST'),
  profileFields: budget(
    100,
    'items',
    'custom profile fields of the organization, and values in a request',
    'BAD_REQUEST',
  ),
  profileOptions: budget(500, 'items', 'options of a custom profile field', 'BAD_REQUEST'),
  profileUsers: budget(1_000, 'items', 'users in a custom profile field', 'BAD_REQUEST'),
  profileCharacters: budget(10_000, 'characters', 'the text of a custom profile field', 'BAD_REQUEST'),
  linkifierCharacters: budget(10_000, 'characters', 'a text of a linkifier', 'BAD_REQUEST'),
  alternativeTemplates: budget(50, 'items', 'alternative templates of a linkifier', 'BAD_REQUEST'),
  // Names. The time to normalise a run of combining marks grows with the square of its length.
  normalizedCharacters: budget(
    1_000,
    'characters',
    'a name or topic that is normalised',
    'BAD_REQUEST, a topic is cut',
  ),

  searchesAtOnce: budget(
    2,
    'items',
    'searches that a worker makes at once',
    'they wait; beyond 100 that wait SERVER_NOT_READY',
  ),

  // Time limits of statements. Work on the whole organization (migrations, import, export, seeding) has no limit.
  requestStatement: budget(20_000, 'ms', 'a statement of a request', 'SERVER_NOT_READY'),
  searchStatement: budget(5_000, 'ms', 'a statement of a request with a search', 'SERVER_NOT_READY'),
  messageStatement: budget(25_000, 'ms', 'a statement that stores messages', 'SERVER_NOT_READY'),
  lockWait: budget(10_000, 'ms', 'what a statement waits for a row that another one changes', 'SERVER_NOT_READY'),
  // Stored data of an account or the organization. Each register answer contains all of it except the storage of bots.
  alertWords: budget(500, 'items', 'alert words of an account, or of a request', 'BAD_REQUEST'),
  mutedUsers: budget(1_000, 'items', 'users that a user has muted', 'BAD_REQUEST'),
  savedSnippets: budget(1_000, 'items', 'saved snippets of an account', 'BAD_REQUEST'),
  savedSnippetCharacters: budget(1_000_000, 'characters', 'contents of an account’s saved snippets', 'BAD_REQUEST'),
  drafts: budget(1_000, 'items', 'drafts of an account', 'BAD_REQUEST'),
  draftCharacters: budget(1_000_000, 'characters', 'contents of an account’s drafts', 'BAD_REQUEST'),
  scheduledMessages: budget(1_000, 'items', 'scheduled messages of an account', 'BAD_REQUEST'),
  scheduledCharacters: budget(1_000_000, 'characters', 'contents of an account’s scheduled messages', 'BAD_REQUEST'),
  reminders: budget(1_000, 'items', 'reminders of an account', 'BAD_REQUEST'),
  reminderNote: budget(1_000, 'characters', 'note of a reminder', 'BAD_REQUEST'),
  navigationViews: budget(1_000, 'items', 'navigation views of an account', 'BAD_REQUEST'),
  sidebarSections: budget(1_000, 'items', 'sections of an account’s sidebar', 'BAD_REQUEST'),
  orderedPins: budget(1_000, 'items', 'channels in an account’s own order of pinned ones', 'BAD_REQUEST'),
  devices: budget(1_000, 'items', 'registered devices of an account', 'BAD_REQUEST'),
  pushDevices: budget(20, 'items', 'devices of an account that receive notifications', 'BAD_REQUEST'),
  userTopics: budget(10_000, 'items', 'topics that an account itself muted, unmuted or followed', 'BAD_REQUEST'),
  eventSubscriptions: budget(10, 'items', 'event subscriptions of a bot', 'BAD_REQUEST'),
  storedKeys: budget(10_000, 'items', 'keys in the storage of a bot', 'BAD_REQUEST'),
  groupsMade: budget(2_000, 'items', 'user groups that one account made, deactivated ones included', 'BAD_REQUEST'),
  defaultChannelGroups: budget(100, 'items', 'groups of default channels of the organization', 'BAD_REQUEST'),
  channelFolders: budget(500, 'items', 'channel folders of the organization, archived ones included', 'BAD_REQUEST'),
  customEmoji: budget(3_000, 'items', 'custom emoji of the organization, deactivated ones included', 'BAD_REQUEST'),
  linkifiers: budget(200, 'items', 'linkifiers of the organization', 'BAD_REQUEST'),
  playgrounds: budget(100, 'items', 'playgrounds of the organization', 'BAD_REQUEST'),
  allowedDomains: budget(500, 'items', 'domains of the addresses with which accounts can be made', 'BAD_REQUEST'),
  invitedAddresses: budget(1_000, 'items', 'addresses that one request invites', 'BAD_REQUEST'),
  invitedCharacters: budget(260_000, 'characters', 'the addresses of such a request as text', 'BAD_REQUEST'),
  openInvitations: budget(10_000, 'items', 'open invitations and links of an account', 'BAD_REQUEST'),
  auditEntriesPerPage: budget(1_000, 'items', 'entries of the audit log in one answer', 'BAD_REQUEST'),
  memberNotices: budget(1_000, 'items', 'direct messages about one change of a group’s members', 'none is sent'),

  // Files.
  spectatorReads: budget(1_000, 'items', 'reads of one file by spectators in a day', '401'),
  usesOfFile: budget(
    1_000,
    'items',
    'messages that use one file and are looked at to decide who may read it',
    'the newest count',
  ),
  filesInMessage: budget(50, 'items', 'files that one message uses', 'further links are plain links'),
  // Pictures are decoded in a process of its own (docs/security.md#pictures). The pixels of a format that must be decoded as a whole are
  // so many that the usual encoding of it fits into `pictureMemory`, together with the file.
  picturePixels: budget(90_000_000, 'items', 'pixels of all frames of a picture', 'BAD_IMAGE'),
  pictureSide: budget(30_000, 'items', 'pixels of the longer side of a picture', 'BAD_IMAGE'),
  avifPixels: budget(12_600_000, 'items', 'pixels of an AVIF picture', 'BAD_IMAGE'),
  webpPixels: budget(50_000_000, 'items', 'pixels of a WebP picture that is not animated', 'BAD_IMAGE'),
  framePixels: budget(16_000_000, 'items', 'pixels of a frame of a GIF or of a WebP animation', 'BAD_IMAGE'),
  interlacedPngPixels: budget(25_000_000, 'items', 'pixels of an interlaced PNG', 'BAD_IMAGE'),
  progressiveJpegPixels: budget(50_000_000, 'items', 'pixels of a progressive JPEG', 'BAD_IMAGE'),
  animatedPixels: budget(
    60_000_000,
    'items',
    'pixels of all frames of a picture that is shown animated',
    'only its first frame is shown',
  ),
  copiedPixels: budget(36_000_000, 'items', 'pixels of a TIFF of which a WebP of full size is made', 'none is made'),
  pictureMemory: budget(335_544_320, 'bytes', 'memory of a process that decodes pictures', 'it is ended; BAD_IMAGE'),
  pictureCpuMs: budget(
    10_000,
    'ms',
    'processor time of decoding and scaling one picture',
    'the process is ended; BAD_IMAGE',
  ),
  pictureMs: budget(
    30_000,
    'ms',
    'time of decoding and scaling one picture',
    'the process is ended; SERVER_NOT_READY, a thumbnail is tried three times',
  ),
  pictureWaitMs: budget(
    20_000,
    'ms',
    'what a picture waits for its turn',
    'SERVER_NOT_READY; a thumbnail is made later',
  ),
  picturesWaiting: budget(20, 'items', 'pictures of one account that wait at a worker', 'SERVER_NOT_READY'),
  pictureBytesWaiting: budget(
    67_108_864,
    'bytes',
    'files of forms that wait for their turn at a worker, of all accounts',
    'SERVER_NOT_READY for the picture that would come last',
  ),
  pictureHeaderMs: budget(
    2_000,
    'ms',
    'what an upload waits until the size of its picture is read',
    'the upload is accepted, and its size is read with the thumbnails',
  ),
  pictureHeadBytes: budget(
    4_194_304,
    'bytes',
    'the beginning of an upload in which the size of its picture is looked for',
    'its size is read with the thumbnails',
  ),
  emojiFrames: budget(500, 'items', 'frames of an animated custom emoji', 'BAD_IMAGE'),
  emojiBytes: budget(131_072, 'bytes', 'picture of a custom emoji; of an animated one the still', 'BAD_IMAGE'),
  uploadsAtOnce: budget(20, 'items', 'uploads of one account that arrive at a worker at once', 'SERVER_NOT_READY'),
  spaceChecksWaiting: budget(
    200,
    'items',
    'uploads of one account that wait at a worker until their space is reserved',
    'SERVER_NOT_READY',
  ),
  downloadsAtOnce: budget(
    128,
    'items',
    'files that a worker sends to one account, or one network without an account, at once',
    'SERVER_NOT_READY',
  ),
  fileReads: budget(
    3,
    'items',
    'reads of files for each request that `RATE_LIMIT_USER` allows an account, or a network without an account',
    'RATE_LIMIT_HIT',
  ),
  unfinishedUploads: budget(50, 'items', 'resumable uploads of one account that are not finished', 'status 429'),
  diskLeft: budget(
    536_870_912,
    'bytes',
    'of the disk that new uploads leave to everything else; of a small disk a fiftieth',
    'SERVER_NOT_READY',
  ),
  uploadMetadata: budget(8_192, 'characters', 'the header `Upload-Metadata` of a resumable upload', 'status 422'),
  bodyWindow: budget(
    4_194_304,
    'bytes',
    'uploads in the memory of a worker, received and not stored',
    'no upload is read until half of it is stored; what still arrives goes to a file',
  ),
  bodyPatience: budget(
    120_000,
    'ms',
    'without a byte of an upload stored or received, because the store or the worker is busy',
    'SERVER_NOT_READY',
  ),
  // A worker that dies loses at most this much of an upload.
  uploadPart: budget(8_388_608, 'bytes', 'a part in which a resumable upload is stored', 'another part'),

  // Messages.
  submessageBytes: budget(2_000_000, 'bytes', 'submessages of one message, such as the votes of a poll', 'BAD_REQUEST'),
  reactionEmoji: budget(100, 'items', 'different emoji below one message', 'BAD_REQUEST'),
  topicsLinked: budget(100, 'items', 'topics whose newest message is in the links of one message', 'links without it'),
  linkifierMatches: budget(500, 'items', 'links that linkifiers make in one message or topic', 'the rest stays text'),
  // A step is one instruction of a pattern at one character, about 4 ns.
  linkifierSteps: budget(20_000_000, 'steps', 'search for the linkifiers of one message', 'the rest stays text'),
  // Lower than the budget of a message, because each message of a page can have another topic.
  topicLinkifierSteps: budget(250_000, 'steps', 'search for the linkifiers of one topic', 'the rest stays text'),
  // An emoji of two characters becomes 100 bytes of HTML, so more of them would not fit into `renderedBytes`.
  emojiShown: budget(1_000, 'items', 'emoji shown as pictures in one message', 'the rest stays text'),
  // Eight bytes per character of the longest message: escaping takes at most six, usual markup takes less.
  renderedBytes: budget(80_000, 'bytes', 'rendered HTML of one message', 'shown as it was typed, without markup'),

  // Threads render long texts, and formulas and code. A text of this length takes the worker less than 5 ms, whatever it contains.
  quickCharacters: budget(
    1_000,
    'characters',
    'a text with markup that the worker itself renders',
    'a thread renders it',
  ),
  quickLinkifierSteps: budget(
    2_000_000,
    'steps',
    'search for the linkifiers of a text that the worker itself renders',
    'a thread renders it; in descriptions the rest stays text',
  ),
  textWaitMs: budget(20_000, 'ms', 'what a long text waits for a thread, and again for its work', 'SERVER_NOT_READY'),
  textQueue: budget(1_000, 'items', 'texts that wait for a thread', 'SERVER_NOT_READY'),
  formulaCharacters: budget(4_000, 'characters', 'formulas of one message together', 'the rest is shown as typed'),
  slowPartsMs: budget(40, 'ms', 'formulas and code of one message', 'the rest is shown as typed'),
  slowPartBytes: budget(
    200_000,
    'bytes',
    'HTML of formulas and coloured code in one message, beside `renderedBytes`',
    'the rest is shown as typed',
  ),
  renderThreads: budget(2, 'items', 'threads of a worker that render long texts, formulas and code', 'messages wait'),
  renderQueue: budget(
    50,
    'items',
    'texts that wait for such a thread while another message needs one for its formulas and code',
    'its formulas and code are shown as typed',
  ),
  renderWaitMs: budget(
    5_000,
    'ms',
    'what formulas and code of a message wait for a thread, and again for its work',
    'they are shown as typed',
  ),

  // Content of other hosts, which the server fetches for the readers of messages (docs/security.md#content-of-other-hosts).
  addressesPreviewed: budget(24, 'items', 'different addresses in a message with previews', 'no previews'),
  externalAddress: budget(2_000, 'bytes', 'an address of another host that is fetched', 'no preview'),
  externalRedirects: budget(5, 'items', 'redirects of one fetch', 'nothing is shown'),
  externalAtOnce: budget(128, 'items', 'fetches of a worker from other hosts at once', 'they wait'),
  externalPerHost: budget(
    16,
    'items',
    'fetches of a worker from one IPv4 address, or one /64 network of IPv6, at once; half of it for one reader, or for the messages of one sender',
    'they wait; after `externalHeadMs` SERVER_NOT_READY, after `websiteMs` the website is read later',
  ),
  // A browser asks for six things of one host at once over HTTP/1.1, and for a hundred over HTTP/2.
  externalPerReader: budget(
    32,
    'items',
    "pictures and players of other hosts that a worker passes on at once to one client's network",
    'they wait',
  ),
  externalWaiting: budget(1_024, 'items', 'fetches of a worker that wait for a place', 'SERVER_NOT_READY'),
  externalWaitingPerReader: budget(256, 'items', 'fetches among them for one reader', 'SERVER_NOT_READY'),
  externalPerMinute: budget(
    3_000,
    'items',
    "requests for content of other hosts in a minute from one client's network, over all workers",
    'RATE_LIMIT_HIT',
  ),
  externalBytes: budget(100_000_000, 'bytes', 'one answer of another host that is passed on', 'it is cut off'),
  externalHeadMs: budget(
    10_000,
    'ms',
    'time until another host begins to answer, with what the request waits for others',
    'nothing is shown',
  ),
  externalBodyMs: budget(120_000, 'ms', 'time for the whole body of such an answer', 'it is cut off'),
  // The rate itself, 4,096 bytes per second, is in external/external.ts.
  externalHostPauseMs: budget(
    5_000,
    'ms',
    'how late another host may be with such an answer, compared with 4,096 bytes per second',
    'it is cut off',
  ),
  externalClientPauseMs: budget(30_000, 'ms', 'how late a client may be in taking it, likewise', 'it is cut off'),
  importDownloads: budget(4, 'items', 'files of imported archives that a worker downloads at once', 'they wait'),
  importDownloadMs: budget(1_200_000, 'ms', 'the download of one of them', 'it is tried again, at most twice'),
  websiteMs: budget(15_000, 'ms', 'reading one website', 'no preview'),
  websiteBytes: budget(524_288, 'bytes', 'a page of a website', 'what stands before counts'),
  websitesPerMinute: budget(
    60,
    'items',
    'websites that are read in a minute for the messages of one sender',
    'read two minutes later, at most twice; then no preview',
  ),
  websitesAtOnce: budget(
    16,
    'items',
    'messages whose websites a worker reads at once, each of another sender',
    'they wait, and senders take turns',
  ),
  websitesPerSender: budget(4, 'items', 'websites that a worker reads at once for one sender', 'they wait'),

  // Registering. A queue that misses events while the state is read is evicted, and the state is read again for a new queue.
  registerAttempts: budget(4, 'items', 'queues that one `register` makes until one is complete', 'SERVER_NOT_READY'),
  registerRestartMs: budget(30_000, 'ms', 'time after which a `register` does not begin again', 'SERVER_NOT_READY'),
  answerBytes: budget(
    2_000_000,
    'bytes',
    'the shown texts, reactions and edits of the messages of one answer, and 600 bytes for each message',
    'fewer messages: those next to the anchor, `found_oldest` or `found_newest` false',
  ),
  answersOfMany: budget(
    2,
    'items',
    'answers of more than 100 messages that a worker makes at once',
    'after each, its place stays empty for as long as it took, at most 250 ms; others wait; beyond 100 that wait SERVER_NOT_READY',
  ),
  editsInAnswer: budget(50, 'items', 'changes of one message that an answer shows', 'the newest are shown'),
  editBytesInAnswer: budget(
    200_000,
    'bytes',
    'earlier texts of one message that an answer shows',
    'the newest are shown',
  ),
  editsKept: budget(500, 'items', 'earlier texts of one message that are kept', 'the newest are kept, and the first'),
  editBytesKept: budget(
    2_000_000,
    'bytes',
    'earlier texts of one message that are kept',
    'the newest are kept, and the first',
  ),
} as const satisfies Readonly<Record<string, Budget>>
