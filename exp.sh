#!/bin/bash
N=stage/bin/warpaes; O=stage/other/bin/warpaes
nvidia-smi --query-gpu=name --format=csv,noheader
timeout 100 $N selftest > $OUT/selftest.txt 2>&1; echo "selftest rc $?"; tail -2 $OUT/selftest.txt
b() { for w in old new old new; do p=$O; [ $w = new ] && p=$N; timeout 60 $p bench --json --engine cuda "${@}" 2>>$OUT/err.txt | sed "s/^{/{\"build\":\"$w\",/" | grep '"result"\|bytes' >> $OUT/b.jsonl; echo "$w ${PIPESTATUS[0]} $*"; done; }
b --mode gcm --key-bits 128 --bytes 1MiB,4MiB,16MiB,64MiB --where device,graph
b --mode gcm --key-bits 128 --bytes 1KiB,64KiB,256KiB --where device,graph
b --mode gcm --key-bits 128,192,256 --bytes 1GiB --samples 5
b --mode ctr --key-bits 128,256 --bytes 4MiB,1GiB --samples 5
b --mode gcm --key-bits 128 --bytes 160KB --messages 1616 --samples 5
b --mode gcm --key-bits 128 --bytes 1MiB --messages 1024 --samples 5
for w in old new; do p=$O; [ $w = new ] && p=$N; timeout 60 $p bench --json --engine cuda/bitsliced --mode gcm --key-bits 128 --bytes 16KiB --messages 65536 --samples 3 2>>$OUT/err.txt | sed "s/^{/{\"build\":\"$w\",/" >> $OUT/b.jsonl; done
NCU=$(which ncu || ls -d /usr/local/cuda*/bin/ncu | tail -1)
M=sm__cycles_elapsed.max,smsp__cycles_active.avg,smsp__warps_active.avg.per_cycle_active,smsp__issue_active.avg.per_cycle_active
for r in long_scoreboard short_scoreboard math_pipe_throttle mio_throttle lg_throttle barrier membar no_instruction not_selected selected dispatch_stall imc_miss wait branch_resolve drain sleeping; do M=$M,smsp__average_warps_issue_stalled_${r}_per_issue_active.ratio; done
timeout 90 $NCU --csv --clock-control none --metrics $M --kernel-name-base demangled --kernel-name regex:team::Gcm $N bench --engine cuda/lane_private_tables --where device --samples 1 --mode gcm --direction encrypt --key-bits 128 --bytes 32KiB --messages 32768 --ragged > $OUT/ncu_ragged.csv 2>&1; echo "ncu $?"
