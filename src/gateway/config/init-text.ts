/** A `gateway.yaml` with every key, its default, and what it is for. It loads as it stands. */
export const initText = `# A challenge of your own, hosted by \`sortie gateway\` in this folder.
# Paths count from this file. Times: 20s, 5m, 1h. Sizes: 500MB, 10GB. Every key but boards may be left out.

# Database, keys and recordings. One gateway at a time works in it.
data_folder: data

# The challenge API and the tunnel of the agents. On 127.0.0.1 nobody else can reach them; what comes here is
# clear text, so for others put nginx with TLS before it rather than an address of the network.
listen: 127.0.0.1:8700
# What job replies tell agents to dial; without it, the address above.
# public_url: wss://challenge.example.org/api/challenge/tunnel
# true only behind a proxy of your own, which says who the client is.
trust_proxy: false

# Simulators from outside dial \`listen\` under /api/simulator/policy/openpi and .../corobot. Those that know no more than
# host and port dial these; off: nobody listens.
policy:
  openpi: 127.0.0.1:8701
  corobot: 127.0.0.1:8702

# Jobs of a user each day, and where a day begins at 00:00: "+08:00", or a name such as Asia/Shanghai.
quota:
  jobs_per_day: 99
  time_zone: "+08:00"
# Agents of a job at once. (quota and parallelism of one user: \`sortie gateway user quota|parallelism\`.)
parallelism: 4
# How often a case is begun before its job fails.
case_attempts: 3

# simulator: reach (two arms reach for targets) and echo (only checks answers) are built in; outside: simulators dial in.
# payload:   g2; of outside boards also openpi, or opaque: answers are not looked into.
# steps:     observations in a case of a built-in simulator.
# tasks:     cases, and the seed of the first one; the next ones count on from it.
boards:
  instruction: # on the platform: 10 tasks
    simulator: reach
    payload: g2
    steps: 20
    tasks:
      left_shelf: { cases: 2, seed: 1 }
      right_shelf: { cases: 2, seed: 101 }
  spatial: # 8 tasks
    simulator: reach
    payload: g2
    steps: 20
    tasks:
      near_and_far: { cases: 2, seed: 201 }
  manip: # 10 tasks
    simulator: reach
    payload: g2
    steps: 20
    tasks:
      both_arms: { cases: 2, seed: 301 }
  robust: # 50 tasks
    simulator: reach
    payload: g2
    steps: 20
    tasks:
      moved_targets: { cases: 2, seed: 401 }
  # A board of a simulator of yours; it dials with the key of \`sortie gateway simulator add kitchen\`.
  # kitchen:
  #   simulator: outside
  #   payload: openpi
  #   tasks:
  #     open_drawer: { cases: 5, seed: 1 }

simulators:
  # Threads for the built-in ones: so many of their cases are played at once. Without it, one less than there are cores.
  workers: 2
  # A case that takes longer is broken off.
  case_timeout: 30m
  # An agent that owes an answer for longer loses its case: a simulator must not wait for nothing.
  reply_timeout: 5m
  # How long the score of a case from outside is waited for, once its connection has ended.
  score_wait: 60s

timers:
  ping: 20s
  # Silence after which a link is ended, and the window opens.
  read_deadline: 45s
  # How long a session waits for its agent to come back.
  window: 30s
  # How long drained agents may take.
  drain: 60s

# What contestants meet: sortie (the best), or the platform as documented first (old), later (new), and as it was seen
# (field). Single flags go on top.
behaviour: sortie
flags:
  # resendOnResume: true
  # strictFrames: false
  # capScope: job # or user
  # closeCodes: typed # or silent
  # emitQueued: true
  # jobIdError: 400 # or 500
  # statusStyle: new # or old
  # totalStyle: mean # or sum
  # loginMethods: [post-json] # and get
  # jobToken: true
  # uuidKey: uuid # or job_uuid
  # videos: true
  # sendResume: true

# Every session, byte for byte. Above max_size the oldest go. Without this, or with off, nothing is recorded.
recordings:
  folder: data/recordings
  max_size: 10GB

# Tries to log in, of one address; of one account ten times as many, from addresses where it never logged in.
logins_per_minute: 10
`;
