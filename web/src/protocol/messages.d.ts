// Generated from src/gonfalon/server by `python -m gonfalon.server.protocol.typescript`. Do not edit.

export interface AcceptChallenge {
  type: "accept-challenge";
  id: string;
}

export interface AccountPage {
  name: string;
  password: boolean;
  sessions: SessionCard[];
  passkeys: PasskeyCard[];
  blocked: string[];
}

export interface Act {
  type: "act";
  n: number;
  actions: number[];
  after?: number | null;
}

export interface Advice {
  type: "advice";
  path: string[];
  chance: number;
}

export interface AgentCard {
  name: string;
  own: boolean;
  variants: string[] | null;
}

export interface Analysis {
  side: string;
  seconds: number;
  judged: Judgement[];
  left_out: number;
}

export interface AnalysisNews {
  done: number;
  total: number;
  analysis: Analysis | null;
  line: Line | null;
}

export interface AnswerDraw {
  type: "answer-draw";
  accept: boolean;
}

export interface ArmyPiece {
  face: string;
  count: number;
}

export interface Arrange {
  places: string[];
  pieces: ArrangePiece[];
}

export interface ArrangePiece {
  face: string;
  letter: string;
  count: number;
  action: number;
}

export interface AskAdvice {
  type: "ask-advice";
}

export interface AskRemarks {
  type: "ask-remarks";
  actions: number[];
}

export interface Bank {
  kind: "bank";
  bank: number;
  increment?: number;
  delay?: number;
  longest?: number;
  deployment?: number;
}

export interface Block {
  name: string;
  on: boolean;
}

export interface Board {
  layout: string;
  columns: number;
  rows: number;
  spaces: Space[];
  ridges?: string[];
  regions?: Region[];
  frontier?: string;
  islets?: string[];
  army?: ArmyPiece[];
  hints?: string[];
}

export interface Button {
  id: string;
}

export interface CallOff {
  type: "call-off";
}

export interface Candidates {
  faces: string[];
  first: Record<string, Record<string, number>>;
  steps: Record<string, Record<string, number>>[];
}

export interface ChallengeOver {
  type: "challenge-over";
  id: string;
  reason: string;
}

export interface Choice {
  id: number;
  verb: string;
  path: string[];
  warning?: Line | null;
}

export interface ChosenId {
  id: string;
}

export interface ChosenName {
  name: string;
}

export interface ClaimWin {
  type: "claim-win";
}

export interface Clocks {
  type: "clocks";
  seats: SeatClock[];
  deadline: number;
}

export interface Codes {
  codes: string[];
}

export interface Confirmation {
  password?: string;
}

export interface Correspondence {
  kind: "correspondence";
  days: number;
}

export interface CounterChallenge {
  type: "counter-challenge";
  id: string;
  terms: Terms;
}

export interface Curtain {
  type: "curtain";
  down: boolean;
}

export interface CurvePoint {
  day: string;
  rating: number;
}

export interface DeclineChallenge {
  type: "decline-challenge";
  id: string;
}

export interface Deployment {
  name: string;
  text: string;
}

export interface DrawOffers {
  type: "draw-offers";
  sides: string[];
}

export interface EndMatch {
  type: "end-match";
}

export interface Ended {
  type: "ended";
  ending: Ending;
  match: MatchInfo;
  patch: ScenePatch;
}

export interface Ending {
  reason: string;
  returns: number[];
  winner: string;
}

export interface Event {
  code: string;
  args?: Record<string, unknown>;
  fell?: Record<string, number>;
}

export interface FillTable {
  type: "fill-table";
  agent: string;
}

export interface GameTally {
  variant: string;
  tally: Tally;
}

export interface GiveName {
  type: "give-name";
  name: string;
}

export interface GivenName {
  name: string;
}

export interface Group {
  side: string;
  places: string[];
  faces: string[];
  count: number;
}

export interface Hello {
  type: "hello";
  secret?: string;
  invitation?: string;
  window?: string;
  seq?: number;
  hints?: boolean;
  side?: string;
}

export interface Hint {
  code: string;
  on?: string[];
  verbs?: string[];
}

export interface Hints {
  type: "hints";
  hints: Hint[];
}

export interface Invitation {
  type: "invitation";
  side: string;
  secret: string;
}

export interface Invite {
  type: "invite";
  side: string;
}

export interface Judgement {
  step: number;
  chance: number;
  best: number;
  path: string[];
  better: string[];
  face: string;
  better_face: string;
  dropped: boolean;
}

export interface KeptData {
  code: string;
  until: string;
}

export interface Leaderboard {
  variant: string;
  pool: "levels" | "people";
  speed: "correspondence" | "fast" | "slow";
  entries: LeaderboardEntry[];
  levels: number[];
}

export interface LeaderboardEntry {
  name: string;
  rating: ShownRating;
  day: string;
}

export interface Line {
  code: string;
  args: Record<string, unknown>;
}

export interface Lobby {
  type: "lobby";
  games: QuickGame[];
  waiting: Record<string, WaitingCount>;
  challenges: OpenChallenge[];
  running: RunningMatch[];
}

export interface LobbyHello {
  type: "hello";
  window?: string;
}

export interface LobbyUpdate {
  type: "lobby-update";
  waiting?: Record<string, WaitingCount>;
  added?: OpenChallenge[];
  removed?: string[];
  started?: RunningMatch[];
  ended?: string[];
}

export interface Login {
  name: string;
  password: string;
}

export interface Logout {
  everywhere?: boolean;
}

export interface MatchInfo {
  id: string;
  variant: string;
  family: string;
  changed: Record<string, boolean | number>;
  seats: Seat[];
  started: boolean;
  ended: boolean;
  created: number;
  claim_after: number;
  next: string;
  alone: boolean;
  returnable: boolean;
  took_back: number;
  hints: number;
  clock: Untimed | Bank | PerTurn | Correspondence | null;
  listed: boolean;
  rated: boolean;
  may_call_off: boolean;
  called_off: string;
  title: Record<string, string>;
}

export interface MatchMade {
  match: string;
  secrets: Record<string, string>;
  invitations: Record<string, string>;
}

export interface MatchRatings {
  rated: boolean;
  seats: SeatRating[];
}

export interface Me {
  name: string;
  guest: boolean;
  accounts: boolean;
  password: boolean;
}

export interface NewAccount {
  name: string;
  password: string;
}

export interface NewMatch {
  variant: string;
  seats: SeatWish[];
  switches?: Record<string, boolean | number>;
  clock?: Untimed | Bank | PerTurn | Correspondence | null;
  rated?: boolean;
}

export interface NewPassword {
  old: string;
  new: string;
}

export interface Nothing {
}

export interface Now {
  seq: number;
  scene: Scene;
  choices: Choice[];
  draft: boolean;
  hints: Hint[];
}

export interface OfferDraw {
  type: "offer-draw";
}

export interface OfferRematch {
  type: "offer-rematch";
}

export interface OpenChallenge {
  id: string;
  by: string;
  terms: Terms;
  rating?: number | null;
  to?: string;
  counters?: string;
  provisional?: boolean;
}

export interface OpponentTally {
  name: string;
  agent: string;
  tally: Tally;
}

export interface OwnSeat {
  match: string;
  side: string;
}

export interface Paired {
  type: "paired";
  match: string;
  side: string;
  secret: string;
}

export interface PasskeyAnswer {
  challenge: string;
  credential: string;
}

export interface PasskeyCard {
  id: string;
  created: number;
  device: string;
}

export interface PasskeyChallenge {
  challenge: string;
  options: string;
}

export interface PerTurn {
  kind: "turn";
  turn: number;
  deployment?: number;
}

export interface PersonRating {
  variant: string;
  speed: "correspondence" | "fast" | "slow";
  pool: "levels" | "people";
  rating: ShownRating;
  day: string;
  curve: CurvePoint[];
}

export interface PieceNames {
  title: string;
  language: string;
  names: Record<string, string>;
  genders: Record<string, string>;
}

export interface Ping {
  type: "ping";
}

export interface PlayedMatch {
  match: string;
  variant: string;
  ended: number;
  result: string;
  rated: boolean;
  listed: boolean;
  seats: PlayedSeat[];
}

export interface PlayedMatches {
  matches: PlayedMatch[];
  more: string;
}

export interface PlayedSeat {
  name: string;
  agent: string;
  result: string;
  deleted: boolean;
}

export interface Pong {
  type: "pong";
}

export interface PostChallenge {
  type: "post-challenge";
  terms: Terms;
  to?: string;
}

export interface Presence {
  type: "presence";
  match: MatchInfo;
}

export interface Preset {
  name: string;
  control: Untimed | Bank | PerTurn | Correspondence;
  players: [number, number];
  pieces: number;
}

export interface Problem {
  line: Line;
}

export interface Profile {
  name: string;
  since: number;
  games: GameTally[];
  opponents: OpponentTally[];
  ratings: PersonRating[];
  left_early: number;
  mine: boolean;
  blocked: boolean;
}

export interface QuickGame {
  name: string;
  variant: string;
  players: number;
  clock: Untimed | Bank | PerTurn | Correspondence;
}

export interface RecordText {
  text: string;
}

export interface Recovery {
  name: string;
  code: string;
  password: string;
}

export interface Refused {
  type: "refused";
  line: Line;
  n: number;
}

export interface Region {
  id: string;
  name: string;
  lines: string[];
  place: [number, number];
  size: number;
  tone: number;
  tower?: [number, number] | null;
}

export interface Remarks {
  type: "remarks";
  lines: Line[];
}

export interface RematchOffered {
  type: "rematch-offered";
  sides: string[];
}

export interface RematchReady {
  type: "rematch-ready";
  match: string;
  secret: string;
}

export interface Replay {
  variant: string;
  family: string;
  changed: Record<string, boolean | number>;
  names: Record<string, string>;
  board: Board;
  first: Record<string, Scene>;
  steps: ReplayStep[];
  ending: Ending | null;
  record: string;
  took_back: number;
  hints: number;
  clock: Untimed | Bank | PerTurn | Correspondence | null;
}

export interface ReplayStep {
  by: string;
  text: string;
  turn: number;
  events: Record<string, Event[]>;
  patches: Record<string, ScenePatch>;
  seq: number;
  took: number;
  clocks: Record<string, number>;
}

export interface Resign {
  type: "resign";
}

export interface Return {
  type: "return";
  n: number;
}

export interface RunningMatch {
  id: string;
  variant: string;
  changed: Record<string, boolean | number>;
  seats: RunningSeat[];
  clock: Untimed | Bank | PerTurn | Correspondence | null;
  rated: boolean;
  strength: number;
}

export interface RunningSeat {
  name?: string;
  agent?: string;
  rating?: number | null;
  provisional?: boolean;
}

export interface Scene {
  tokens: Token[];
  trays: Tray[];
  tints: Tint[];
  buttons: Button[];
  status: Line;
  to_act: string[];
  turn: number;
  arrange: Arrange | null;
  groups: Group[];
  started: boolean;
  out: string[];
  left: Line[];
  headlines: Line[];
  scores: Score[];
  round: number;
}

export interface ScenePatch {
  gone?: string[];
  tokens?: Token[];
  trays?: Tray[] | null;
  rest?: Record<string, unknown> | null;
}

export interface Score {
  side: string;
  counts: Record<string, number>;
  flags: string[];
  leads: boolean;
}

export interface Seat {
  side: string;
  kind: string;
  name: string;
  taken: boolean;
  here: boolean;
  claim_in: number | null;
  failed: boolean;
  missing: boolean;
  maker: boolean;
  may_invite: boolean;
  account: string;
  deleted: boolean;
  late: boolean;
}

export interface SeatClock {
  side: string;
  left: number;
  runs: boolean;
  free: number;
  most: number | null;
}

export interface SeatKey {
  match: string;
  secret: string;
}

export interface SeatQuery {
  seats: SeatKey[];
}

export interface SeatRating {
  player: number;
  before: ShownRating;
  after: ShownRating;
}

export interface SeatWish {
  kind: string;
  agent?: string;
  name?: string;
}

export interface Seek {
  type: "seek";
  game: string;
}

export interface SessionCard {
  id: string;
  created: number;
  seen: number;
  device: string;
  current: boolean;
}

export interface ShowHints {
  type: "show-hints";
  on: boolean;
}

export interface ShownRating {
  rating: number;
  deviation: number;
  provisional: boolean;
  matches: number;
}

export interface Space {
  id: string;
  name: string;
  place: [number, number];
  ground?: string;
  near?: string[];
  outline?: string;
  reach?: number;
  zone?: string;
  tags?: string[];
}

export interface Standing {
  match: MatchInfo;
  side: string;
  due: string[];
  moved: number;
  ending: Ending | null;
  deadline: number;
}

export interface StopSeeking {
  type: "stop-seeking";
}

export interface Stored {
  type: "stored";
  n: number;
  seq: number;
}

export interface Suggest {
  type: "suggest";
  at?: Record<string, string>;
}

export interface Suggestion {
  type: "suggestion";
  at: Record<string, string>;
  actions: number[];
}

export interface Switch {
  name: string;
  default: boolean | number;
  low: number;
  high: number;
  options: number[];
}

export interface TakeBack {
  type: "take-back";
}

export interface Tally {
  wins: number;
  draws: number;
  losses: number;
}

export interface Terms {
  variant: string;
  switches?: Record<string, boolean | number>;
  clock?: Untimed | Bank | PerTurn | Correspondence | null;
  rated?: boolean;
  side?: string;
  lowest?: number;
  highest?: number;
}

export interface Tint {
  place: string;
  kind: string;
}

export interface Token {
  id: string;
  place: string;
  side: string;
  face?: string;
  marks?: string[];
}

export interface Tray {
  kind: string;
  side: string;
  items: TrayItem[];
}

export interface TrayItem {
  id: string;
  face: string;
  count?: number;
  side?: string;
}

export interface Untimed {
  kind: "untimed";
  claim_after?: number;
}

export interface Update {
  type: "update";
  seq: number;
  events: Event[];
  patch: ScenePatch;
  choices: Choice[];
  draft: boolean;
  by: string;
  hints: Hint[];
}

export interface VariantCard {
  variant: string;
  family: string;
  players: number;
  sides: string[];
  layout: string;
  pieces: number;
  columns: number;
  rows: number;
  boxes: string[];
  heading: string;
  switches: Switch[];
  own: boolean;
  title: Record<string, string>;
  description: Record<string, string>;
}

export interface VariantPage {
  card: VariantCard;
  board: Board;
  arrange: Arrange;
  deployments: Deployment[];
  presets: Preset[];
}

export interface WaitingCount {
  waiting: number;
  usual?: number | null;
  tables?: string[][];
}

export interface Waits {
  type: "waits";
  game: string;
  host: boolean;
}

export interface WakeAgents {
  type: "wake-agents";
}

export interface Welcome {
  type: "welcome";
  match: MatchInfo;
  side: string;
  board: Board;
  now: Now;
  n: number;
  latest: number;
  offers: string[];
  ending: Ending | null;
}

export interface Why {
  type: "why";
  path: string[];
}

export interface Windows {
  type: "windows";
  count: number;
}

export interface WithdrawChallenge {
  type: "withdraw-challenge";
  id: string;
}

export interface You {
  type: "you";
  known: boolean;
  name: string;
}

export interface YourChallenge {
  type: "your-challenge";
  challenge: OpenChallenge;
  mine: boolean;
}

export type FromPage =
  | Hello
  | Act
  | TakeBack
  | Return
  | AskAdvice
  | Resign
  | OfferDraw
  | AnswerDraw
  | CallOff
  | ClaimWin
  | EndMatch
  | WakeAgents
  | OfferRematch
  | Invite
  | GiveName
  | Why
  | Suggest
  | AskRemarks
  | ShowHints
  | Curtain
  | Ping;

export type ToPage =
  | Welcome
  | Update
  | Stored
  | Refused
  | Advice
  | Presence
  | Clocks
  | DrawOffers
  | Ended
  | RematchOffered
  | RematchReady
  | Invitation
  | Suggestion
  | Hints
  | Remarks
  | Windows
  | Pong;

export type FromLobby =
  | LobbyHello
  | Seek
  | StopSeeking
  | FillTable
  | PostChallenge
  | AcceptChallenge
  | DeclineChallenge
  | WithdrawChallenge
  | CounterChallenge
  | Ping;

export type ToLobby =
  | Lobby
  | LobbyUpdate
  | You
  | Waits
  | Paired
  | YourChallenge
  | ChallengeOver
  | Refused
  | Pong;
