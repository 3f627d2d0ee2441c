// Mate problems by Monomi, 1 to 9 plies: board, hands (Black attacks) and the shortest solution, easier ones first.
// Up to 5 plies and some of those of 7: found by `monomi tsume find` in 6,000 won positions of its self-play games
// (network 19, 400 nodes a move). The rest: `monomi tsume make --seed 49`. `monomi tsume check` finds all of them
// sound and without flaws; with `--keep-useless` they are as long.
export const PROBLEMS = `
1R1gk4/9/3G5/9/9/9/9/9/9 Gr2bg4s4n4l18p G*5b
9/4+R4/9/5BkP1/9/9/9/9/9 Grb3g4s4n4l17p G*3e
lk7/9/2G1B4/9/9/9/9/9/9 Rrb3g4s4n3l18p R*8b
6+B2/9/4+L1k2/6pp1/9/9/9/9/9 Rrb4g4s4n3l16p R*4c
9/6+P2/8k/5B1p1/9/7N1/9/9/9 2rb4g4s3n4l16p 4d2b+
7R1/3gk4/3p5/5P3/9/9/9/9/9 Gr2b2g4s4n4l16p G*4c
9/9/5+B3/7kp/7N1/7G1/9/9/9 2rb3g4s3n4l17p 4c3c
9/7+B1/9/6pk1/7N1/8P/6N2/9/9 2rb4g4s2n4l16p 2b1c
9/9/9/5sp2/3G1k3/4n4/6P2/9/9 G2r2b2g3s3n4l16p G*3f
9/9/9/2pg5/1Lk6/9/2PG5/9/9 2r2b2g4s4n3l16p 6g7f
1+R2+R4/5gk2/5pp2/9/9/9/9/9/9 2b3g4s4n4l16p 5a2a
5R3/1skg5/1ppp5/9/9/9/9/9/9 Sr2b3g2s4n4l15p S*8a
4k4/2g6/5+B3/9/3N5/9/9/9/9 S2rb3g3s3n4l18p S*5b 5a6b 4c5c
9/9/9/1gn6/k8/9/P8/9/9 RSr2b3g3s3n4l17p R*9f 9e8e S*7f
9/9/9/9/9/Pk7/9/2L6/L8 2G2r2b2g4s4n2l17p G*9g 8f8e G*9e
3k5/9/3S5/1N+B6/9/9/9/9/9 2rb4g3s3n4l18p 8d7b+ 6a5a 6c5b+
1n7/2k1+N4/1pp6/9/9/9/9/9/9 Rr2b4g4s2n4l16p R*6b 7b7a 5b6a
5g2+L/7k1/6s2/9/9/8R/9/9/9 r2b3g3s4n3l18p 1f1b+ 2b3a 1a2a
2lk1s3/3B5/3+NG4/9/9/9/9/9/9 2rb3g3s3n3l18p 6b5a+ 6a5a 6c6b
3g1kg+R1/9/3p2S2/9/9/9/9/9/9 r2b2g3s4n4l17p 2a3a 4a3a G*3b
7nl/5+B1k1/7pp/9/9/9/9/9/9 GS2rb3g3s3n3l16p S*3a 2b1b G*2b
5+Rg1k/7sl/9/4B4/9/9/9/9/9 rb3g3s4n3l18p 4a3a 2b3a G*2a
4k4/2+P2g3/5p3/5b3/5N3/9/9/9/9 RSrb3g3s3n4l16p R*6a 5a5b S*6c
9/4+N1s2/5k1s+R/5pp2/9/9/9/9/9 2Gr2b2g2s3n4l16p G*5c 4c3c G*2d
l8/9/2+R6/9/kp7/9/PP7/9/L8 r2b4g4s4n2l15p 9g9f 9e9d 9f9e
3g3+R1/4kg3/2+Pp1p3/3rp4/9/3B5/9/9/9 b2g4s4n4l14p 2a6a 5b6a G*6b
1R7/9/9/1+S7/k8/9/9/9/1G7 r2b3g3s4n4l18p 8d8e 9e9f 8e8f 9f9g 8f8g
3g1kg2/4P1s2/4S4/9/9/9/9/9/9 G2r2bg2s4n4l17p G*5a 6a5a 5b5a+ 4a5a G*5b
4k1g2/1+P2g4/5+R3/4N4/9/9/9/9/9 Sr2b2g3s3n4l17p S*6b 5b6b 5d6b+ 5a6b G*5b
2g2+B3/1sk1g4/9/2G6/9/9/9/9/9 B2rg3s4n4l18p B*6c 5b6c 4a6c 7b6a G*5b
9/4gk3/2+S1pp3/5N3/9/9/9/9/9 G2r2b2g3s3n4l16p G*3b 4b5a 4d5b+ 5a5b G*6b
3lk1+N2/2+S1p1R2/9/9/5r3/9/9/9/9 G2b3g3s3n3l17p G*4a 4e4a 3a4a 5a4a R*3a
7nl/6G2/7pk/8p/7P1/9/9/9/9 SP2r2b3g3s3n3l14p S*2b 1c1b P*1c 2a1c 2b2a
ln7/2+P6/k8/p1+N6/1g7/9/9/9/9 SP2r2b3g3s2n3l15p S*8b 9c9b P*9c 8a9c 8b8a
4s4/4kl+R2/2+Pppp3/9/9/9/9/9/9 GNr2b3g3s3n3l14p N*6d 6c6d G*6c 5b6a 7c7b
9/9/6p1p/5pk2/6N2/6R2/6N1P/9/8L NPr2b4g4sn3l13p N*2f 3d2d P*2e 2d1e 1g1f
3k4l/3r5/2+B2+N3/p2gr1B2/9/9/9/9/9 3g4s3n3l17p 4c5c 6a7a 5c6b 7a8a R*9a
9/rs7/kp7/p8/9/2P6/PP7/9/L8 GNr2b3g3s3n3l13p N*8e 9c8d G*7e 8d9e 9g9f
5n3/6+R1R/6sp1/5Bpk1/9/8p/5S3/9/9 b4g2s3n4l15p 3b3c 4a3c S*1e 2d2e 1b1d+
9/9/9/9/1+R1pp4/4k1S2/3+n2P2/4Pg3/3+R5 2b3g3s3n4l14p 8e7f 6g6f 6i6g 5f4f 6g5g
5B2k/6G2/6s1l/6pb1/9/9/9/9/9 GN2r2g3s3n3l17p N*2c 1a1b G*1a 1b2c 3b3a 2c2b 3a2a
8R/3b2+B1l/6P1k/7pp/9/9/6NG1/9/9 r3g4s3n3l15p 3b1d 1c1d 1a1b+ P*1c P*1e 1d1e L*1f
9/s1G6/kp7/1+r7/pG7/1S7/4b4/9/+s8 GPrbgs4n4l15p P*9d 8d9d 8e9d 9c9d G*8e 9d9c R*9d
9/1R7/9/9/9/9/kg7/9/P+S7 r2b3g3s4n4l17p 8i9h 8g9h 9i9h 9g9h G*8h 9h9i 8h8i
6+P2/8k/8+r/6+L+P1/9/9/9/9/9 r2b4g4s4n3l16p 2d1c 1b1c R*2c 1c1b 2c2a+ 1b1c 3d2d
6g2/6+B1k/6G2/9/3B5/9/9/9/9 2r2g4s4n4l18p 3c2c 1b1a 3b2a 3a2a 6e2a+ 1a2a G*2b
9/9/9/9/9/7G1/7rk/8N/6+S1B rb3g3s3n4l18p 2f2g 1g2g R*2f 2g1h 3i2h 1h1i 2h2i
k1B6/2gS5/1R1G5/9/9/9/9/9/9 rb2g3s4n4l18p 8c8a+ 9a8a 6c7b 8a7b G*7c 7b8a 7a8b+
9/7k1/5+R2g/8B/9/9/9/9/9 rb3g4s4n4l18p 1d3b+ 2b1b 4c1c 1b1c G*1d 1c1b 1d2c 1b1a 2c2b
7R1/9/9/9/8k/9/7r1/8N/6+S1B Lb4g3s3n3l18p L*1f 1e1f 2a2g+ 1f2g R*2f 2g1h 3i2h 1h1i 2h2i
6+P2/7Bk/9/6+L+P+r/9/9/9/9/9 rb4g4s4n3l16p 2d1c 1d1c 2b1c+ 1b1c R*2c 1c1b 2c2a+ 1b1c 3d2d
6g1k/6B2/6Gg1/9/6N2/9/9/9/9 2rbg4s3n4l18p 3e2c 1a1b 2c1a+ 1b1a G*2a 3a2a 3b2a+ 1a2a G*2b
9/7R1/9/9/9/8k/7gg/8+S/8P r2b2g3s4n4l17p 1h1g 1f1g G*1h 2g1h 1i1h 1g1h G*2h 1h1i 2h2i
k1Bg5/3S5/2P6/9/9/9/7B1/9/2L6 2r3g3s4n3l17p 2g8a+ 9a8a 7c7b+ 6a7b 7i7b+ 8a7b G*7c 7b8a 7a8b+
1R7/9/9/9/k8/g8/Pg7/9/BB7 r2g4s4n4l17p 9g9f 9e9f 8a8g+ 9f8g G*7g 8g9f G*8f 9f9g 7g8g
5g2k/5SB2/5+RP2/6N2/9/9/9/9/9 rb3g3s3n4l17p 3b2a+ 1a2a 3c3b+ 4a3b 4c3b 2a3b G*3c 3b2a 3d2b+
9/9/1gB6/k8/l8/1G7/N+N7/9/9 2rb2g4s2n3l18p 8f9e 9d9c L*9d 8c9d 9e9d 9c9d G*8d 9d9e 8d8e
9/2R6/6k2/6N2/6N2/6g2/5LL2/9/6G2 r2b2g4s2n2l18p 7b2b+ 3c3d 2b2c 3d3e 3g3f 3e3f G*4f 3f3g 2c2h
`
  .trim()
  .split("\n")
  .map((text) => {
    const [board, hands, ...moves] = text.split(" ");
    return { sfen: `${board} b ${hands} 1`, moves };
  });
