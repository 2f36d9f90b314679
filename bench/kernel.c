/* The batched kernel in C, written as well as this benchmark can, so that the ratio is an honest one.

   It plays the same rolls with the same results as simulation/batched_kernel.py: three sessions interleaved in the
   lanes of a block, the worth logged for the extremes, and no comparison in words of rolls in which nothing exceptional
   can happen. The names are those of the Python module. */

#include <stdint.h>

typedef uint64_t word;
typedef int64_t money;
typedef unsigned __int128 wide;

enum { ROW_BITS = 26, HAND_BITS = 16, MIN_WORTH = 0, QUIET_FROM, QUIET_BELOW, STAKES_UP };
#ifndef CHECKED
#define CHECKED 2 /* lanes at once while the limits are checked: three run out of registers */
#endif

enum { ROLLS_PER_WORD = 11, LANES = 96, COLUMN_COUNT = 8, FINISHED_ROW = 0 };
enum { CONTINUES, ENDED_ROLLS, ENDED_SHOOTERS, ENDED_STOP_LOSS, ENDED_STOP_WIN, ENDED_RUIN, NOT_BUILT };
enum { MISSING_SKIP, MISSING_CLOSEOUT, MISSING_DECISION, MISSING_KIND_COUNT };

#define ROW_MASK ((1ull << ROW_BITS) - 1)
#define HAND_MASK ((1ll << HAND_BITS) - 1)
#define SEQUENCE_COUNT 131621703842267136ull /* 36**11 */
#define REJECT_BELOW ((word)(-SEQUENCE_COUNT) % SEQUENCE_COUNT)

enum { DECISION_COST, STAKES_BEFORE, LAYOUT_EMPTY, ROW_AFTER_BET, ROW_AFTER_SKIP, CLOSEOUT_ROW, CLOSEOUT_CASH,
       SITUATION_WORDS = 8 };

typedef struct { money roll_columns, before, situations, dice; } Offsets;
typedef struct { money bankroll, rolls, shooters, stop_loss_worth, stop_win_worth, stop_win_check; } KernelLimits;
typedef struct { word bits; money left; word s[4]; } Stream;
typedef struct { money peak, trough, drawdown; } Extremes;

static inline word rotate_left(word w, int by) { return (w << by) | (w >> (64 - by)); }

static inline word mix(word w) {
    w = (w ^ (w >> 30)) * 0xBF58476D1CE4E5B9ull;
    w = (w ^ (w >> 27)) * 0x94D049BB133111EBull;
    return w ^ (w >> 31);
}

#define XOSHIRO_STEP(found, a, b, c, d)                                           \
    {                                                                     \
        word e = (c) ^ (a), f = (d) ^ (b);                                \
        found = rotate_left((a) + (d), 23) + (a);                              \
        c = e ^ ((b) << 17);                                              \
        b ^= e;                                                           \
        a ^= f;                                                           \
        d = rotate_left(f, 45);                                                \
    }

static inline word next_word(word s[4]) {
    word found;
    do XOSHIRO_STEP(found, s[0], s[1], s[2], s[3]) while (found * SEQUENCE_COUNT < REJECT_BELOW);
    return found;
}

static inline int next_roll(Stream *stream) {
    if (stream->left == 0) { stream->bits = next_word(stream->s); stream->left = ROLLS_PER_WORD; }
    wide product = (wide)stream->bits * 36;
    stream->bits = (word)product;
    stream->left--;
    return (int)(product >> 64);
}

static inline int stop_or_bet(const money *buffer, const Offsets *offsets, const KernelLimits *limits, money b,
                              money rack, money rolls, money hands, money *row, money *worth) {
    const money *situation = buffer + offsets->situations + SITUATION_WORDS * b;
    *worth = rack + situation[STAKES_BEFORE];
    *row = FINISHED_ROW;
    if (rolls >= limits->rolls) return ENDED_ROLLS;
    if (hands >= limits->shooters) return ENDED_SHOOTERS;
    if (*worth <= limits->stop_loss_worth) return ENDED_STOP_LOSS;
    if (*worth >= limits->stop_win_worth) return ENDED_STOP_WIN;
    money after = situation[ROW_AFTER_BET], cost = situation[DECISION_COST];
    if (after < 0) { *row = MISSING_KIND_COUNT * b + MISSING_DECISION; return NOT_BUILT; }
    if (rack >= (cost > 0 ? cost : 0)) {
        *row = after;
        *worth = rack - cost + buffer[after + STAKES_UP];
        return CONTINUES;
    }
    if (situation[LAYOUT_EMPTY]) return ENDED_RUIN;
    *row = situation[ROW_AFTER_SKIP];
    if (*row < 0) { *row = MISSING_KIND_COUNT * b + MISSING_SKIP; return NOT_BUILT; }
    return CONTINUES;
}

static inline int play_until(const money *buffer, const Offsets *offsets, const KernelLimits *limits, word *row_offset,
                             money *worth, money *rolls, money until, Stream *stream, Extremes *extremes, money *b,
                             money *rack) {
    money stop_win_check = limits->stop_win_check << HAND_BITS, q = *worth;
    word o = *row_offset;
    int cause = CONTINUES;
    while (*rolls < until) {
        if (q > extremes->peak) extremes->peak = q;
        if (q < extremes->trough) extremes->trough = q;
        if (extremes->peak - q > extremes->drawdown) extremes->drawdown = extremes->peak - q;
        word cell = o + buffer[offsets->roll_columns + next_roll(stream)];
        money found = buffer[cell];
        ++*rolls;
        q += found >> ROW_BITS;
        o = found & ROW_MASK;
        if (q < buffer[o] || q >= stop_win_check || *rolls >= limits->rolls || (q & HAND_MASK) >= limits->shooters) {
            money hands = q & HAND_MASK, row, now;
            *b = buffer[offsets->before + cell];
            const money *situation = buffer + offsets->situations + SITUATION_WORDS * *b;
            money stakes = situation[ROW_AFTER_BET] < 0 ? situation[STAKES_BEFORE]
                                                        : buffer[o + STAKES_UP] - situation[DECISION_COST];
            *rack = (q >> HAND_BITS) - stakes;
            cause = stop_or_bet(buffer, offsets, limits, *b, *rack, *rolls, hands, &row, &now);
            o = row;
            q = (now << HAND_BITS) + hands;
            if (cause != CONTINUES) break;
        }
    }
    *row_offset = o;
    *worth = q;
    return cause;
}

static inline void write_result(const money *buffer, const Offsets *offsets, int cause, word row_offset, money q,
                                money rolls, Stream *stream, const Extremes *extremes, money b, money rack, money *out,
                                money count) {
    money worth = q >> HAND_BITS, missing = cause == NOT_BUILT ? (money)row_offset : -1;
    if (cause != NOT_BUILT) {
        const money *situation = buffer + offsets->situations + SITUATION_WORDS * b;
        money row = situation[CLOSEOUT_ROW];
        worth = rack;
        if (row < 0) {
            missing = MISSING_KIND_COUNT * b + MISSING_CLOSEOUT;
            cause = NOT_BUILT;
        } else {
            for (worth += situation[CLOSEOUT_CASH]; row != FINISHED_ROW;) {
                money found = buffer[row + buffer[offsets->roll_columns + next_roll(stream)]];
                worth += found >> (ROW_BITS + HAND_BITS);
                row = found & ROW_MASK;
            }
        }
    }
    money peak = extremes->peak >> HAND_BITS, trough = extremes->trough >> HAND_BITS;
    money drawdown = (extremes->drawdown + HAND_MASK) >> HAND_BITS;
    if (worth > peak) peak = worth;
    if (worth < trough) trough = worth;
    if (peak - worth > drawdown) drawdown = peak - worth;
    money line[COLUMN_COUNT] = {worth, rolls, peak, trough, drawdown, q & HAND_MASK, cause, missing};
    for (int column = 0; column < COLUMN_COUNT; column++) out[column * count] = line[column];
}

/* One roll of a lane. CHECK compares with the minimum worth of the row it leads to. */
#define LOAD(n)                                                           \
    int l##n = order[k + n];                                              \
    word r##n = bits[l##n], o##n = row_offset[l##n];                           \
    money q##n = worth[l##n], f##n = needs_care[l##n];

#define ROLL(n, CHECK)                                                   \
    {                                                                     \
        worth_log[j][l##n] = q##n;                                            \
        wide product = (wide)r##n * 36;                                   \
        r##n = (word)product;                                             \
        money found = buffer[o##n + column[(word)(product >> 64)]];         \
        q##n += found >> ROW_BITS;                                      \
        o##n = found & ROW_MASK;                                             \
        if (CHECK) f##n |= q##n - buffer[o##n];                             \
    }

#define STORE(n)                                                           \
    if (f##n >= 0) { row_offset[l##n] = o##n; worth[l##n] = q##n; }            \
    needs_care[l##n] = f##n;

void run(const money *buffer, const Offsets *offsets, money start, const KernelLimits *limits, word seed,
         const money *sessions, money count, money *out) {
    const money *column = buffer + offsets->roll_columns;
    money bankroll = limits->bankroll << HAND_BITS, row, first_worth;
    money word_count = (limits->rolls + ROLLS_PER_WORD - 1) / ROLLS_PER_WORD;
    money last_hands = limits->shooters - 6, next_session = 0, live = 0;
    if (stop_or_bet(buffer, offsets, limits, start, limits->bankroll, 0, 0, &row, &first_worth) != CONTINUES) return;
    first_worth <<= HAND_BITS;
    word s[4][LANES], bits[LANES + 1], row_offset[LANES + 1] = {0};
    money worth[LANES + 1] = {0}, needs_care[LANES + 1] = {0}, words_played[LANES], session[LANES] = {0};
    money peak[LANES] = {0}, trough[LANES] = {0}, drawdown[LANES] = {0}, worth_log[ROLLS_PER_WORD][LANES + 1];
    for (int k = 0; k < 4; k++) for (int lane = 0; lane < LANES; lane++) s[k][lane] = 1;
    for (int lane = 0; lane < LANES; lane++) words_played[lane] = -1;
    for (;;) {
        for (int lane = 0; lane < LANES; lane++)
            if (words_played[lane] < 0 && next_session < count) {
                word first = mix(seed) + (word)sessions[next_session] * 0xD1342543DE82EF95ull;
                for (int k = 0; k < 4; k++) s[k][lane] = mix(first + 0x9E3779B97F4A7C15ull * (k + 1));
                session[lane] = next_session++;
                words_played[lane] = drawdown[lane] = 0;
                row_offset[lane] = row;
                worth[lane] = first_worth;
                peak[lane] = trough[lane] = bankroll;
                live++;
            }
        if (live == 0) return;
        int rejected = 0;
        for (int lane = 0; lane < LANES; lane++) {
            XOSHIRO_STEP(bits[lane], s[0][lane], s[1][lane], s[2][lane], s[3][lane])
            rejected |= bits[lane] * SEQUENCE_COUNT < REJECT_BELOW;
        }
        if (rejected)
            for (int lane = 0; lane < LANES; lane++)
                while (bits[lane] * SEQUENCE_COUNT < REJECT_BELOW)
                    XOSHIRO_STEP(bits[lane], s[0][lane], s[1][lane], s[2][lane], s[3][lane])
        int order[LANES + 2], quiet_end = 0, rest_start = LANES; /* quiet lanes first */
        for (int lane = 0; lane < LANES; lane++) {
            money q = worth[lane];
            int last = words_played[lane] == word_count - 1;
            int careful = last | (q >= buffer[row_offset[lane] + QUIET_BELOW]) | ((q & HAND_MASK) >= last_hands);
            int quiet = careful | (q >= buffer[row_offset[lane] + QUIET_FROM]);
            needs_care[lane] = -careful;
            rest_start--;
            order[quiet_end] = order[rest_start] = lane;
            quiet_end += quiet;
            rest_start += quiet;
        }
        int k = 0;
        for (; k + 3 <= quiet_end; k += 3) {
            LOAD(0) LOAD(1) LOAD(2)
            for (int j = 0; j < ROLLS_PER_WORD; j++) { ROLL(0, 0) ROLL(1, 0) ROLL(2, 0) }
            STORE(0) STORE(1) STORE(2)
        }
        order[LANES] = order[LANES + 1] = LANES; /* an unused lane */
        for (; k < LANES; k += CHECKED) {
            LOAD(0) LOAD(1)
#if CHECKED == 3
            LOAD(2)
            for (int j = 0; j < ROLLS_PER_WORD; j++) { ROLL(0, 1) ROLL(1, 1) ROLL(2, 1) }
            STORE(2)
#else
            for (int j = 0; j < ROLLS_PER_WORD; j++) { ROLL(0, 1) ROLL(1, 1) }
#endif
            STORE(0) STORE(1)
        }
        for (int lane = 0; lane < LANES; lane++)
            if (needs_care[lane] < 0 && words_played[lane] >= 0) {
                money rolls = words_played[lane] * ROLLS_PER_WORD, b = 0, rack = 0;
                Stream stream = {bits[lane], ROLLS_PER_WORD, {s[0][lane], s[1][lane], s[2][lane], s[3][lane]}};
                Extremes extremes = {peak[lane], trough[lane], drawdown[lane]};
                word o = row_offset[lane];
                money q = worth[lane];
                int cause = play_until(buffer, offsets, limits, &o, &q, &rolls, rolls + ROLLS_PER_WORD, &stream,
                                       &extremes, &b, &rack);
                if (cause != CONTINUES) {
                    write_result(buffer, offsets, cause, o, q, rolls, &stream, &extremes, b, rack, out + session[lane],
                                 count);
                    o = FINISHED_ROW;
                    q = 0;
                    words_played[lane] = -1;
                    live--;
                }
                row_offset[lane] = o;
                worth[lane] = q;
                peak[lane] = extremes.peak;
                trough[lane] = extremes.trough;
                drawdown[lane] = extremes.drawdown;
                for (int j = 0; j < ROLLS_PER_WORD; j++) worth_log[j][lane] = q;
            }
        for (int lane = 0; lane < LANES; lane++) {
            money high = peak[lane], low = trough[lane], deep = drawdown[lane];
            for (int j = 0; j < ROLLS_PER_WORD; j++) {
                money q = worth_log[j][lane];
                high = high > q ? high : q;
                low = low < q ? low : q;
                deep = deep > high - q ? deep : high - q;
            }
            peak[lane] = high;
            trough[lane] = low;
            drawdown[lane] = deep;
        }
        for (int lane = 0; lane < LANES; lane++) words_played[lane] += words_played[lane] >= 0;
    }
}
