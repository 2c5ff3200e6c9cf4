#pragma once

#include <string_view>

/// Two kernels, compiled by nvcc 13.0, for the product c = a * b of n x n floats: `product` reads global memory, and
/// `tiled` uses tiles of 16 x 16 in shared memory.
inline constexpr std::string_view kMatrixProductPtx = R"ptx(
.version 9.0
.target sm_90
.address_size 64
	// .globl	product
.visible .entry product(
	.param .u64 product_param_0,
	.param .u64 product_param_1,
	.param .u64 product_param_2,
	.param .u32 product_param_3
)
{
	.reg .pred 	%p<6>;
	.reg .f32 	%f<30>;
	.reg .b32 	%r<30>;
	.reg .b64 	%rd<34>;
	ld.param.u64 	%rd18, [product_param_0];
	ld.param.u64 	%rd19, [product_param_1];
	ld.param.u64 	%rd17, [product_param_2];
	ld.param.u32 	%r12, [product_param_3];
	cvta.to.global.u64 	%rd1, %rd19;
	cvta.to.global.u64 	%rd2, %rd18;
	mov.u32 	%r13, %ntid.y;
	mov.u32 	%r14, %ctaid.y;
	mov.u32 	%r15, %tid.y;
	mad.lo.s32 	%r16, %r14, %r13, %r15;
	mov.u32 	%r17, %ntid.x;
	mov.u32 	%r18, %ctaid.x;
	mov.u32 	%r19, %tid.x;
	mad.lo.s32 	%r1, %r18, %r17, %r19;
	mul.lo.s32 	%r2, %r16, %r12;
	setp.lt.s32 	%p1, %r12, 1;
	mov.f32 	%f29, 0f00000000;
	@%p1 bra 	$L__BB0_7;
	add.s32 	%r21, %r12, -1;
	and.b32  	%r29, %r12, 3;
	setp.lt.u32 	%p2, %r21, 3;
	mov.f32 	%f29, 0f00000000;
	mov.u32 	%r28, 0;
	@%p2 bra 	$L__BB0_4;
	sub.s32 	%r27, %r12, %r29;
	mul.wide.s32 	%rd3, %r2, 4;
	mul.wide.s32 	%rd20, %r1, 4;
	add.s64 	%rd30, %rd1, %rd20;
	mul.wide.s32 	%rd5, %r12, 4;
	mov.f32 	%f29, 0f00000000;
	mov.u32 	%r28, 0;
	mov.u64 	%rd31, %rd2;
$L__BB0_3:
	add.s64 	%rd21, %rd31, %rd3;
	ld.global.f32 	%f12, [%rd30];
	ld.global.f32 	%f13, [%rd21];
	fma.rn.f32 	%f14, %f13, %f12, %f29;
	add.s64 	%rd22, %rd30, %rd5;
	ld.global.f32 	%f15, [%rd22];
	ld.global.f32 	%f16, [%rd21+4];
	fma.rn.f32 	%f17, %f16, %f15, %f14;
	add.s64 	%rd23, %rd22, %rd5;
	ld.global.f32 	%f18, [%rd23];
	ld.global.f32 	%f19, [%rd21+8];
	fma.rn.f32 	%f20, %f19, %f18, %f17;
	add.s64 	%rd24, %rd23, %rd5;
	add.s64 	%rd30, %rd24, %rd5;
	ld.global.f32 	%f21, [%rd24];
	ld.global.f32 	%f22, [%rd21+12];
	fma.rn.f32 	%f29, %f22, %f21, %f20;
	add.s32 	%r28, %r28, 4;
	add.s64 	%rd31, %rd31, 16;
	add.s32 	%r27, %r27, -4;
	setp.ne.s32 	%p3, %r27, 0;
	@%p3 bra 	$L__BB0_3;
$L__BB0_4:
	setp.eq.s32 	%p4, %r29, 0;
	@%p4 bra 	$L__BB0_7;
	mad.lo.s32 	%r23, %r28, %r12, %r1;
	mul.wide.s32 	%rd25, %r23, 4;
	add.s64 	%rd33, %rd1, %rd25;
	mul.wide.s32 	%rd11, %r12, 4;
	add.s32 	%r24, %r28, %r2;
	mul.wide.s32 	%rd26, %r24, 4;
	add.s64 	%rd32, %rd2, %rd26;
$L__BB0_6:
	.pragma "nounroll";
	ld.global.f32 	%f23, [%rd33];
	ld.global.f32 	%f24, [%rd32];
	fma.rn.f32 	%f29, %f24, %f23, %f29;
	add.s64 	%rd33, %rd33, %rd11;
	add.s64 	%rd32, %rd32, 4;
	add.s32 	%r29, %r29, -1;
	setp.ne.s32 	%p5, %r29, 0;
	@%p5 bra 	$L__BB0_6;
$L__BB0_7:
	add.s32 	%r25, %r2, %r1;
	cvta.to.global.u64 	%rd27, %rd17;
	mul.wide.s32 	%rd28, %r25, 4;
	add.s64 	%rd29, %rd27, %rd28;
	st.global.f32 	[%rd29], %f29;
	ret;
}
	// .globl	tiled
.visible .entry tiled(
	.param .u64 tiled_param_0,
	.param .u64 tiled_param_1,
	.param .u64 tiled_param_2,
	.param .u32 tiled_param_3
)
{
	.reg .pred 	%p<3>;
	.reg .f32 	%f<57>;
	.reg .b32 	%r<35>;
	.reg .b64 	%rd<13>;
	// demoted variable
	.shared .align 4 .b8 _ZZ5tiledE1s[1024];
	// demoted variable
	.shared .align 4 .b8 _ZZ5tiledE1t[1024];
	ld.param.u64 	%rd3, [tiled_param_0];
	ld.param.u64 	%rd4, [tiled_param_1];
	ld.param.u64 	%rd5, [tiled_param_2];
	ld.param.u32 	%r18, [tiled_param_3];
	mov.u32 	%r19, %ctaid.y;
	shl.b32 	%r20, %r19, 4;
	mov.u32 	%r1, %tid.y;
	add.s32 	%r21, %r20, %r1;
	mov.u32 	%r22, %ctaid.x;
	shl.b32 	%r2, %r22, 4;
	mov.u32 	%r3, %tid.x;
	mul.lo.s32 	%r4, %r21, %r18;
	setp.lt.s32 	%p1, %r18, 1;
	mov.f32 	%f56, 0f00000000;
	@%p1 bra 	$L__BB1_3;
	shl.b32 	%r24, %r1, 6;
	mov.u32 	%r25, _ZZ5tiledE1s;
	add.s32 	%r7, %r25, %r24;
	shl.b32 	%r26, %r3, 2;
	add.s32 	%r5, %r7, %r26;
	mov.u32 	%r27, _ZZ5tiledE1t;
	add.s32 	%r28, %r27, %r24;
	add.s32 	%r6, %r28, %r26;
	add.s32 	%r8, %r27, %r26;
	mad.lo.s32 	%r29, %r1, %r18, %r3;
	add.s32 	%r33, %r29, %r2;
	shl.b32 	%r10, %r18, 4;
	add.s32 	%r32, %r3, %r4;
	cvta.to.global.u64 	%rd1, %rd3;
	cvta.to.global.u64 	%rd2, %rd4;
	mov.f32 	%f56, 0f00000000;
	mov.u32 	%r34, 0;
$L__BB1_2:
	mul.wide.u32 	%rd6, %r32, 4;
	add.s64 	%rd7, %rd1, %rd6;
	ld.global.f32 	%f6, [%rd7];
	st.shared.f32 	[%r5], %f6;
	mul.wide.u32 	%rd8, %r33, 4;
	add.s64 	%rd9, %rd2, %rd8;
	ld.global.f32 	%f7, [%rd9];
	st.shared.f32 	[%r6], %f7;
	bar.sync 	0;
	ld.shared.f32 	%f8, [%r8];
	ld.shared.f32 	%f9, [%r7];
	fma.rn.f32 	%f10, %f9, %f8, %f56;
	ld.shared.f32 	%f11, [%r8+64];
	ld.shared.f32 	%f12, [%r7+4];
	fma.rn.f32 	%f13, %f12, %f11, %f10;
	ld.shared.f32 	%f14, [%r8+128];
	ld.shared.f32 	%f15, [%r7+8];
	fma.rn.f32 	%f16, %f15, %f14, %f13;
	ld.shared.f32 	%f17, [%r8+192];
	ld.shared.f32 	%f18, [%r7+12];
	fma.rn.f32 	%f19, %f18, %f17, %f16;
	ld.shared.f32 	%f20, [%r8+256];
	ld.shared.f32 	%f21, [%r7+16];
	fma.rn.f32 	%f22, %f21, %f20, %f19;
	ld.shared.f32 	%f23, [%r8+320];
	ld.shared.f32 	%f24, [%r7+20];
	fma.rn.f32 	%f25, %f24, %f23, %f22;
	ld.shared.f32 	%f26, [%r8+384];
	ld.shared.f32 	%f27, [%r7+24];
	fma.rn.f32 	%f28, %f27, %f26, %f25;
	ld.shared.f32 	%f29, [%r8+448];
	ld.shared.f32 	%f30, [%r7+28];
	fma.rn.f32 	%f31, %f30, %f29, %f28;
	ld.shared.f32 	%f32, [%r8+512];
	ld.shared.f32 	%f33, [%r7+32];
	fma.rn.f32 	%f34, %f33, %f32, %f31;
	ld.shared.f32 	%f35, [%r8+576];
	ld.shared.f32 	%f36, [%r7+36];
	fma.rn.f32 	%f37, %f36, %f35, %f34;
	ld.shared.f32 	%f38, [%r8+640];
	ld.shared.f32 	%f39, [%r7+40];
	fma.rn.f32 	%f40, %f39, %f38, %f37;
	ld.shared.f32 	%f41, [%r8+704];
	ld.shared.f32 	%f42, [%r7+44];
	fma.rn.f32 	%f43, %f42, %f41, %f40;
	ld.shared.f32 	%f44, [%r8+768];
	ld.shared.f32 	%f45, [%r7+48];
	fma.rn.f32 	%f46, %f45, %f44, %f43;
	ld.shared.f32 	%f47, [%r8+832];
	ld.shared.f32 	%f48, [%r7+52];
	fma.rn.f32 	%f49, %f48, %f47, %f46;
	ld.shared.f32 	%f50, [%r8+896];
	ld.shared.f32 	%f51, [%r7+56];
	fma.rn.f32 	%f52, %f51, %f50, %f49;
	ld.shared.f32 	%f53, [%r8+960];
	ld.shared.f32 	%f54, [%r7+60];
	fma.rn.f32 	%f56, %f54, %f53, %f52;
	bar.sync 	0;
	add.s32 	%r33, %r33, %r10;
	add.s32 	%r32, %r32, 16;
	add.s32 	%r34, %r34, 16;
	setp.lt.s32 	%p2, %r34, %r18;
	@%p2 bra 	$L__BB1_2;
$L__BB1_3:
	add.s32 	%r30, %r2, %r3;
	add.s32 	%r31, %r4, %r30;
	cvta.to.global.u64 	%rd10, %rd5;
	mul.wide.s32 	%rd11, %r31, 4;
	add.s64 	%rd12, %rd10, %rd11;
	st.global.f32 	[%rd12], %f56;
	ret;
}
)ptx";
